import { join, resolve } from 'node:path'
import { fenceMissing } from '../../adapters/sandbox/fence.ts'
import type { Behavior, Bounds, PermissionMode, Policy, RuleLists } from '../../protocol/permissions/permission.ts'
import type { SandboxSettings, Settings } from '../../protocol/permissions/settings.ts'
import type { MemberCard, ResolvedTeam } from '../../protocol/team/team-card.ts'
import { chooseMode, modeWidth, widestMode, withChosenMode } from '../../rules/permissions/mode.ts'
import { sandboxedBy } from '../../rules/sandbox/sandbox-plan.ts'
import { isTrusted, trustedMode } from '../../rules/settings/settings-trust.ts'
import type { Planning } from '../../projections/member/agent-story.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { PlanPort } from '../../protocol/tools/tool.ts'
import { modeInForce } from '../../rules/permissions/mode.ts'
import { getOrMake } from '../../projections/fold/fold.ts'
import { memberRules } from '../../rules/permissions/team-permissions.ts'
import { policyExcess } from '../../rules/rights/policy-subset.ts'
import { boundsWith, restricted } from '../../rules/rights/restrictions.ts'
import type { Restriction } from '../../protocol/permissions/restriction.ts'
import { policyInTree } from '../worktrees/policy-in-tree.ts'
import type { Workplace } from '../worktrees/workplaces.ts'
import { withSkills } from '../../rules/skills/skill-policy.ts'
import type { SkillInUse } from '../../protocol/skills/skill.ts'
import { policyRules, type PolicyRules } from '../../rules/permissions/rule-index.ts'

/** The parts of a policy besides the team. */
interface PolicyOptions {
  readonly cwd: string
  readonly home: string
  readonly settings: Settings
  /** Directories of the run that tools may read. */
  readonly readable?: readonly string[]
  /** Where the rules of the team file stand: `file:line` by rule. */
  readonly places?: Readonly<Record<string, string>>
}

const lists = ['allow', 'ask', 'deny'] as const

/** All that a policy takes from a member's card: members of whom it is the same share one. */
type Permitted = Pick<MemberCard, 'permissions'>

/**
 * The policy of one member: settings and flags, the team's rules, its own, and those that bind its coordinator. A team file
 * speaks as part of the project.
 *
 * @example policyOf(team, card, { cwd: '/home/ann/shop', home: '/home/ann', settings: await loadRules({ … }) })
 */
export function policyOf(team: ResolvedTeam, card: Permitted, options: PolicyOptions): Policy {
  const { settings, cwd } = options
  const base = policyFor(settings, options)
  const own = trustedRules(memberRules(team, card), options)
  const at = (text: string): { readonly at: string } => ({ at: options.places?.[text] ?? team.file })
  const joined = Object.fromEntries(lists.map((list) => [list, [...(base.rules.project?.[list] ?? []), ...own[list]]]))
  const origins = Object.fromEntries(
    lists.map((list) => [list, [...(base.origins?.project?.[list] ?? []), ...own[list].map(at)]]),
  )
  const shared = { ...base.bounds, scope: team.scope.map((dir) => resolve(cwd, dir)) }
  const narrowed = boundsWith(shared, team.permissions, options)
  return {
    ...base,
    ...modesOf(team, card, settings),
    rules: { ...base.rules, project: joined },
    origins: { ...base.origins, project: origins },
    bounds: boundsWith(narrowed, card.permissions, options),
  }
}

/**
 * The widest policy that a member of a team may have: the leader's. What the team file allows to anyone in it may be
 * allowed to one of them; what it forbids to all is forbidden to each.
 */
export function leaderPolicy(team: ResolvedTeam, options: PolicyOptions): Policy {
  const allow = [team, ...team.members].flatMap(({ permissions }) => permissions.allow ?? [])
  const [lead] = team.members
  if (!lead) throw new Error(`${team.name} has no member`)
  return policyOf({ ...team, permissions: { ...team.permissions, allow } }, { ...lead, permissions: {} }, options)
}

/** The policy that settings and flags make without any team, as `permissions explain` shows it. */
export function policyFor(settings: Settings, options: Omit<PolicyOptions, 'settings' | 'places'>): Policy {
  const { cwd, home } = options
  const sandboxed = sandboxOf(settings.sandbox, { cwd, home })
  const widest = widestMode(settings.modes, settings)
  return {
    ...(sandboxed === undefined ? {} : { sandboxed }),
    mode: chooseMode(settings.modes, settings),
    ...(widest === 'acceptEdits' ? {} : { widest }),
    rules: settings.rules,
    origins: settings.origins,
    bounds: boundsOf(settings, options),
    directories: [cwd, ...settings.additionalDirectories],
    ...(settings.managedOnly ? { managedOnly: true } : {}),
    ...(Object.keys(settings.env).length === 0 ? {} : { env: settings.env }),
    ...(settings.respectGitignore ? {} : { unignored: true }),
  }
}

/** The sandbox of this machine under these settings; undefined when they ask for none. */
export function sandboxOf(
  settings: SandboxSettings,
  place: { readonly cwd: string; readonly home: string },
): Policy['sandboxed'] {
  const available = settings.enabled === true && fenceMissing() === null
  return sandboxedBy(settings, { ...place, available })
}

/** The words for a wanted sandbox that is missing, as people believe that commands are fenced; null where none is missing. */
export function unfencedText({ enabled, failIfUnavailable }: SandboxSettings): string | null {
  const missing = enabled === true ? fenceMissing() : null
  if (missing === null) return null
  const follows = failIfUnavailable === true ? 'no shell command runs' : 'SHELL COMMANDS RUN WITHOUT IT'
  return `a sandbox is wanted and there is none, so ${follows}: ${missing}`
}

/** The same policy with the rules that people allowed for this session. */
export function withGrants(policy: Policy, grants: readonly string[]): Policy {
  if (grants.length === 0) return policy
  const session: RuleLists = { ...policy.rules.session, allow: [...(policy.rules.session?.allow ?? []), ...grants] }
  return { ...policy, rules: { ...policy.rules, session } }
}

/** The mode of a member, and the one that an approved plan leads to. What the managed policy plans stays planned. */
function modesOf(team: ResolvedTeam, card: Permitted, settings: Settings): Pick<Policy, 'mode' | 'afterPlan'> {
  const mode = modeOf(team, card, settings)
  if (mode !== 'plan' || settings.modes.policy === 'plan') return { mode }
  const doing = (wished: PermissionMode | undefined): PermissionMode | undefined =>
    wished === 'plan' ? undefined : wished
  const modes = Object.fromEntries(Object.entries(settings.modes).map(([who, wished]) => [who, doing(wished)]))
  const after = <Card extends Permitted>(card: Card): Card => ({
    ...card,
    permissions: { ...card.permissions, mode: doing(card.permissions.mode) },
  })
  return { mode, afterPlan: modeOf(after(team), after(card), { ...settings, modes }) }
}

/** A member's own mode counts where it is not wider than what holds for its team, and both where they may. */
function modeOf(team: ResolvedTeam, { permissions }: Permitted, settings: Settings): PermissionMode {
  const [ofTeam, mode] = [team, { permissions }].map((card) => trustedMode(card.permissions.mode, settings.trusted))
  const shared = chooseMode({ ...settings.modes, team: ofTeam }, settings)
  if (mode === undefined) return shared
  const own = chooseMode({ ...settings.modes, team: mode }, settings)
  return modeWidth[own] > modeWidth[shared] ? shared : own
}

function trustedRules(
  rules: Record<Behavior, readonly string[]>,
  { settings }: PolicyOptions,
): Record<Behavior, readonly string[]> {
  const counts = (text: string): boolean => !settings.managedOnly && isTrusted(settings.trusted, text)
  return { ...rules, allow: rules.allow.filter(counts) }
}

function boundsOf(settings: Settings, { cwd, home, readable }: Omit<PolicyOptions, 'settings'>): Bounds {
  return {
    protected: [join(cwd, '.troupe'), join(home, '.troupe'), ...settings.closed],
    scope: [],
    blockedHosts: settings.blockedHosts,
    ...(settings.critical === null ? {} : { critical: settings.critical }),
    ...(readable ? { readable } : {}),
  }
}

/** A policy that grows by what people allow for this session; made anew only when something changed. */
export function grantablePolicy(base: () => Policy): { policy(): Policy; grant(rule: string): void } {
  const grants: string[] = []
  let made: { readonly from: Policy; readonly count: number; readonly policy: Policy } | undefined
  return {
    policy() {
      const from = base()
      if (made?.from !== from || made.count !== grants.length) {
        // Where only the managed policy's allow rules count, an answer holds for its own question and no other.
        const policy = from.managedOnly === true ? from : withGrants(from, grants)
        made = { from, count: grants.length, policy }
      }
      return made.policy
    },
    grant: (rule) => grants.push(rule),
  }
}

/**
 * The policy of a member at each moment, with the restrictions of those for whom it acts then; made anew only when
 * something changed.
 */
export function servingPolicy(
  base: () => Policy,
  restrictions: () => readonly Restriction[],
  home: string,
): () => Policy {
  let made: { readonly from: Policy; readonly said: string; readonly policy: Policy } | undefined
  return () => {
    const [from, served] = [base(), restrictions()]
    if (served.length === 0) return from
    const said = JSON.stringify(served)
    if (made?.from !== from || made.said !== said) made = { from, said, policy: restricted(from, served, home) }
    return made.policy
  }
}

/** The policy of a member in the mode that a person chose for it at each moment; made anew only when something changed. */
export function chosenPolicy(base: () => Policy, chosen: { readonly mode: PermissionMode | null }): () => Policy {
  let made: { readonly from: Policy; readonly mode: PermissionMode | null; readonly policy: Policy } | undefined
  return () => {
    const [from, { mode }] = [base(), chosen]
    if (mode === null) return from
    if (made?.from !== from || made.mode !== mode) made = { from, mode, policy: withChosenMode(from, mode) }
    return made.policy
  }
}

/** The policy of an agent with the skills that it uses at each moment; made anew only when something changed. */
export function skilledPolicy(base: () => Policy, skills: { readonly used: readonly SkillInUse[] }): () => Policy {
  let made: { readonly from: Policy; readonly used: readonly SkillInUse[]; readonly policy: Policy } | undefined
  return () => {
    const [from, { used }] = [base(), skills]
    if (used.length === 0) return from
    if (made?.from !== from || made.used !== used) made = { from, used, policy: withSkills(from, used) }
    return made.policy
  }
}

/** How one member plans: what its tools do about it, and the policy that holds meanwhile. */
export interface PlanMode {
  readonly port: PlanPort
  /** The same object until something changed. */
  policy(): Policy
}

/**
 * Opens the plan mode of one member.
 *
 * @param base the policy of the member without what it planned
 * @param note journals a fact; the fold over the journal is what `planning` holds
 */
export function openPlanMode(planning: Planning, base: () => Policy, note: (fact: Fact) => void): PlanMode {
  let made: { readonly from: Policy; readonly policy: Policy } | undefined
  const policy = (): Policy => {
    const from = base()
    const mode = modeInForce(from, planning.state)
    if (mode === from.mode) return from
    if (made?.from !== from || made.policy.mode !== mode) made = { from, policy: { ...from, mode } }
    return made.policy
  }
  return {
    policy,
    port: {
      planning: () => policy().mode === 'plan',
      bound: () => modeInForce(base(), { entered: false, approved: true }) === 'plan',
      enter: (call_id, reason) => note({ type: 'plan.entered', call_id, reason }),
      approve: (call_id, plan) => note({ type: 'plan.approved', call_id, plan }),
    },
  }
}

/** The parts of the members' policies; `settings` gives those in force at the moment of the call. */
interface TeamPolicyOptions extends Omit<PolicyOptions, 'settings'> {
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
        const inTree = (made: Policy): Policy => (tree === null ? made : policyInTree(made, tree))
        const policy = inTree(policyOf(team, card, here))
        const excess = policyExcess(policy, inTree(leaderPolicy(team, here)))
        if (excess.length > 0) throw new Error(`${card.name} would be allowed more than its team: ${excess.join('; ')}`)
        return policy
      })
    })
  }
}

const known = new WeakMap<Policy, PolicyRules>()

/** The prepared rules of a policy. Preparing many rules takes longer than a decision, so one policy prepares them once. */
export function preparedRules(policy: Policy): PolicyRules {
  const before = known.get(policy)
  if (before !== undefined) return before
  const rules = policyRules(policy)
  known.set(policy, rules)
  return rules
}
