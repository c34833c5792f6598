import type { Bounds, PermissionMode, Policy, RuleOrigin } from '../../protocol/permissions/permission.ts'
import type { Restriction } from '../../protocol/permissions/restriction.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { modeWidth } from '../permissions/mode.ts'
import { isInside, resolveFrom } from '../paths/path-inside.ts'
import { blockedHost } from '../paths/host-name.ts'

/**
 * The restrictions that a member's request carries: its own, and those of the requests that it serves itself. What binds the
 * coordinator binds all its workers anyway.
 *
 * @param of `name@team` of the member
 * @param plans it is in plan mode
 * @param served the restrictions of what it works on
 */
export function carried(
  { role, permissions }: Pick<MemberCard, 'role' | 'permissions'>,
  { of, plans, served }: { readonly of: string; readonly plans: boolean; readonly served: readonly Restriction[] },
): readonly Restriction[] {
  const { deny = [], ask = [], scope = [], blocked_hosts = [] } = permissions
  const isLead = role === 'coordinator'
  const own: Restriction = {
    of,
    ...(deny.length > 0 && !isLead ? { deny } : {}),
    ...(ask.length > 0 && !isLead ? { ask } : {}),
    ...(scope.length > 0 ? { scope } : {}),
    ...(blocked_hosts.length > 0 ? { blocked_hosts } : {}),
    ...(plans ? { plan: true as const } : {}),
  }
  return distinct(Object.keys(own).length > 1 ? [own, ...served] : served)
}

/** Each restriction once. */
export function distinct(restrictions: readonly Restriction[]): readonly Restriction[] {
  return [...new Map(restrictions.map((each) => [JSON.stringify(each), each])).values()]
}

/**
 * A member's policy for a call that it makes for others: what forbids is added, and nothing is opened.
 *
 * @example restricted(policy, [{ of: 'ana@team', deny: ['Bash(git push:*)'] }])
 */
export function restricted(policy: Policy, restrictions: readonly Restriction[], home: string): Policy {
  if (restrictions.length === 0) return policy
  const { rules, origins, bounds, directories } = policy
  const added = restrictions.reduce(withRules, { deny: [], ask: [], origins: { deny: [], ask: [] } })
  const own = rules.project ?? {}
  const places = origins?.project ?? {}
  const joined = (list: 'deny' | 'ask') => [...(own[list] ?? []), ...added[list]]
  // The place of a rule is its position: where the policy's own rules have none, the added ones have none.
  const placed = (list: 'deny' | 'ask') =>
    (places[list]?.length ?? 0) === (own[list]?.length ?? 0)
      ? { [list]: [...(places[list] ?? []), ...added.origins[list]] }
      : {}
  return {
    ...policy,
    ...modesWithin(policy, restrictions),
    rules: { ...rules, project: { ...own, deny: joined('deny'), ask: joined('ask') } },
    origins: { ...origins, project: { ...places, ...placed('deny'), ...placed('ask') } },
    bounds: restrictions.reduce((so, each) => boundsWith(so, each, { cwd: directories[0] ?? '/', home }), bounds),
  }
}

/** No mode is wider than that of whoever asked. A person who approves a plan lets the member go on as it may. */
function modesWithin(
  { mode, afterPlan }: Pick<Policy, 'mode' | 'afterPlan'>,
  restrictions: readonly Restriction[],
): Pick<Policy, 'mode' | 'afterPlan'> {
  const narrowed = (wished: PermissionMode): PermissionMode =>
    restrictions.reduce((so, { mode: most }) => (most && modeWidth[most] < modeWidth[so] ? most : so), wished)
  const doing = afterPlan === undefined ? {} : { afterPlan: narrowed(afterPlan) }
  const own = { mode: narrowed(mode), ...doing }
  const plans = restrictions.some(({ plan }) => plan === true)
  return plans && own.mode !== 'plan' ? { mode: 'plan', afterPlan: own.mode } : own
}

interface Added {
  readonly deny: readonly string[]
  readonly ask: readonly string[]
  readonly origins: { readonly deny: readonly RuleOrigin[]; readonly ask: readonly RuleOrigin[] }
}

function withRules(so: Added, { of, deny = [], ask = [] }: Restriction): Added {
  const origin = { at: `a request of ${of}`, of }
  return {
    deny: [...so.deny, ...deny],
    ask: [...so.ask, ...ask],
    origins: {
      deny: [...so.origins.deny, ...deny.map(() => origin)],
      ask: [...so.origins.ask, ...ask.map(() => origin)],
    },
  }
}

/** The bounds without what a card, or a request, takes away. */
export function boundsWith(
  bounds: Bounds,
  { scope = [], blocked_hosts = [] }: Pick<Restriction, 'scope' | 'blocked_hosts'>,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): Bounds {
  return {
    ...bounds,
    scope: inBoth(
      bounds.scope,
      scope.map((dir) => resolveFrom(cwd, home, dir)),
    ),
    blockedHosts: [...new Set([...bounds.blockedHosts, ...blocked_hosts.map(blockedHost)])],
  }
}

/** A directory in which there is nothing: no scope at all would be one without an end. */
const nowhere = '/dev/null'

/** The directories that lie in both scopes; an empty one has no end. */
function inBoth(one: readonly string[], other: readonly string[]): readonly string[] {
  if (one.length === 0) return other
  if (other.length === 0) return one
  const within = (dirs: readonly string[], around: readonly string[]): readonly string[] =>
    dirs.filter((dir) => around.some((wide) => isInside(wide, dir)))
  const both = [...within(one, other), ...within(other, one)]
  return both.length === 0 ? [nowhere] : [...new Set(both)]
}
