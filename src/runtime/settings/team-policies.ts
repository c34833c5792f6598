import type { Policy } from '../../protocol/permission.ts'
import type { Settings } from '../../protocol/settings.ts'
import type { MemberCard, ResolvedTeam } from '../../protocol/team-card.ts'
import { policyExcess } from '../../rules/policy-subset.ts'
import { policyInTree } from '../policy-in-tree.ts'
import { leaderPolicy, policyOf, type PolicyOptions } from '../policy.ts'
import type { Workplace } from '../workplaces.ts'

/** What the members' policies are made from; `settings` says what holds at the moment it is asked. */
export interface TeamPolicyOptions extends Omit<PolicyOptions, 'settings'> {
  readonly settings: () => Settings
  /** Where a member works, when it is not where all do. */
  readonly workplace?: (card: MemberCard) => Workplace
}

/**
 * The policy of each member as the settings have it now. One is made anew only when the settings changed, so that asking
 * before every call costs nothing.
 *
 * @throws when a member would be allowed more than its team, which `check` reports with its place
 *
 * @example const policy = teamPolicies(team, { cwd, home, settings: live.current }); policy(card).mode
 */
export function teamPolicies(team: ResolvedTeam, options: TeamPolicyOptions): (card: MemberCard) => Policy {
  const made = new Map<string, { readonly from: Settings; readonly policy: Policy }>()
  return (card) => {
    const settings = options.settings()
    const known = made.get(card.name)
    if (known?.from === settings) return known.policy
    const { cwd, tree } = options.workplace?.(card) ?? { cwd: options.cwd, tree: null }
    const here = { ...options, cwd, settings }
    const policy = policyInTree(policyOf(team, card, here), tree)
    const excess = policyExcess(policy, policyInTree(leaderPolicy(team, here), tree))
    if (excess.length > 0) throw new Error(`${card.name} would be allowed more than its team: ${excess.join('; ')}`)
    made.set(card.name, { from: settings, policy })
    return policy
  }
}
