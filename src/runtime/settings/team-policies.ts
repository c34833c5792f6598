import type { Policy } from '../../protocol/permissions/permission.ts'
import type { Settings } from '../../protocol/permissions/settings.ts'
import type { MemberCard, ResolvedTeam } from '../../protocol/team/team-card.ts'
import { getOrMake } from '../../projections/fold/fold.ts'
import { policyExcess } from '../../rules/permissions/policy-subset.ts'
import { policyInTree } from '../worktrees/policy-in-tree.ts'
import { leaderPolicy, policyOf, type PolicyOptions } from './policy.ts'
import type { Workplace } from '../worktrees/workplaces.ts'

/** The parts of the members' policies; `settings` gives those in force at the moment of the call. */
export interface TeamPolicyOptions extends Omit<PolicyOptions, 'settings'> {
  readonly settings: () => Settings
  /** Where a member works, when it is not where all do. */
  readonly workplace?: (card: MemberCard) => Workplace
}

/**
 * The policy of each member as the settings have it now. One is made anew only when the settings changed, so that asking
 * before every call costs nothing, and members with the same permissions at the same place share it, and what is read from it.
 *
 * @throws when a member would be allowed more than its team, which `check` reports with its place
 *
 * @example const policy = teamPolicies(team, { cwd, home, settings: live.current }); policy(card).mode
 */
export function teamPolicies(team: ResolvedTeam, options: TeamPolicyOptions): (card: MemberCard) => Policy {
  let from: Settings | undefined
  const made = new Map<string, Policy>()
  const shared = new Map<string, Policy>()
  return (card) => {
    const settings = options.settings()
    if (settings !== from) for (const policies of [made, shared]) policies.clear()
    from = settings
    return getOrMake(made, card.name, () => {
      const { cwd, tree } = options.workplace?.(card) ?? { cwd: options.cwd, tree: null }
      return getOrMake(shared, JSON.stringify([card.permissions, cwd, tree]), () => {
        const here = { ...options, cwd, settings }
        const policy = policyInTree(policyOf(team, card, here), tree)
        const excess = policyExcess(policy, policyInTree(leaderPolicy(team, here), tree))
        if (excess.length > 0) throw new Error(`${card.name} would be allowed more than its team: ${excess.join('; ')}`)
        return policy
      })
    })
  }
}
