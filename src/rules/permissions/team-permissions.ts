import type { Behavior, PermissionMode, Policy, RuleLists } from '../../protocol/permissions/permission.ts'
import type { MemberCard, UnhashedTeam } from '../../protocol/team/team-card.ts'
import { analyse } from './analyse.ts'
import { decide } from './cascade.ts'
import { modeWidth } from './mode.ts'
import { allowProblem, parseRule } from './rule.ts'
import { strippedBecause } from './rule-index.ts'
import { shadowOf } from './shadowed-rules.ts'
import { cardPath, oncePerCard, type TeamProblem } from '../team/team-problem.ts'

/**
 * Finds what contradicts itself in a team's permissions: rules that cannot be read, allow rules that a deny or ask
 * rule always beats, members that would be allowed more than their team, and checks that are not allowed.
 *
 * @example permissionProblems(team) // [{ code: 'shadowed_rule', path: ['permissions', 'allow', 0], … }]
 */
export function permissionProblems(team: UnhashedTeam): TeamProblem[] {
  return [
    ...listProblems(team.permissions, ['permissions']),
    ...oncePerCard(team.members).flatMap((member) => [
      ...listProblems(member.permissions, [...cardPath(member), 'permissions']),
      ...excessProblems(member, team),
      ...verifyProblems(member, team),
    ]),
  ]
}

type Lists = RuleLists & { readonly mode?: PermissionMode | undefined }

function listProblems(lists: Lists, path: TeamProblem['path']): TeamProblem[] {
  const broken = (['allow', 'ask', 'deny'] as const).flatMap((list) =>
    (lists[list] ?? []).flatMap((text, i): TeamProblem[] => {
      const rule = parseRule(text)
      if (!('error' in rule)) return []
      return [{ severity: 'error', code: 'invalid_rule', message: rule.error, path: [...path, list, i] }]
    }),
  )
  const shadowed = (lists.allow ?? []).flatMap((text, i): TeamProblem[] => {
    const above = shadowOf(text, [...(lists.deny ?? []), ...(lists.ask ?? [])])
    if (above === undefined) return []
    const message = `${text} never applies: ${above} comes first`
    return [{ severity: 'warning', code: 'shadowed_rule', message, path: [...path, 'allow', i] }]
  })
  return [...broken, ...shadowed, ...idleProblems(lists, path)]
}

/** Allow rules that open nothing: by what they say, or in the mode beside which they stand. */
function idleProblems({ allow = [], mode = 'default' }: Lists, path: TeamProblem['path']): TeamProblem[] {
  return allow.flatMap((text, i): TeamProblem[] => {
    const rule = parseRule(text)
    if ('error' in rule) return []
    const idle = allowProblem(rule)
    const stripped = strippedBecause(rule, mode)
    const message = idle ?? stripped
    if (message === null) return []
    return [
      {
        severity: 'warning',
        code: idle === null ? 'stripped_rule' : 'misleading_rule',
        message,
        path: [...path, 'allow', i],
      },
    ]
  })
}

function excessProblems(member: MemberCard, team: UnhashedTeam): TeamProblem[] {
  const path = [...cardPath(member), 'permissions']
  const problems: TeamProblem[] = []
  for (const [i, text] of (member.permissions.allow ?? []).entries()) {
    const place = { code: 'allow_denied', path: [...path, 'allow', i] }
    const ofTeam = shadowOf(text, team.permissions.deny ?? [])
    const ofLead = shadowOf(text, memberRules(team, { permissions: {} }).deny)
    if (ofTeam !== undefined) {
      const message = `"${member.card}" allows ${text}, which the team denies (${ofTeam})`
      problems.push({ severity: 'error', message, ...place })
    } else if (ofLead !== undefined && member.role === 'worker') {
      const message = `"${member.card}" allows ${text}, which the coordinator is denied (${ofLead}): that binds its workers`
      problems.push({ severity: 'warning', message, ...place })
    }
  }
  const mode = team.permissions.mode ?? 'default'
  if (member.permissions.mode !== undefined && modeWidth[member.permissions.mode] > modeWidth[mode]) {
    const message = `"${member.card}" runs in ${member.permissions.mode} mode, which allows more than the team's ${mode}`
    problems.push({ severity: 'error', code: 'wider_mode', message, path: [...path, 'mode'] })
  }
  return problems
}

/** A check that the team's own rules do not allow is asked about each time, or never runs. */
function verifyProblems(member: MemberCard, team: UnhashedTeam): readonly TeamProblem[] {
  if (member.verify === undefined) return []
  const { command } = member.verify
  const action = analyse({ tool: 'Bash', input: { command }, cwd: '/', home: '/' })
  const { behavior, reason } = decide(action, policyIn(team, member))
  if (behavior === 'allow') return []
  const path = [...cardPath(member), 'verify']
  const shared = { severity: 'warning', path } as const
  if (behavior === 'deny') {
    const message = `the check \`${command}\` of "${member.card}" never runs: ${reason}`
    return [{ ...shared, code: 'verify_denied', message, hint: 'change the command, or the rule' }]
  }
  const message = `the check \`${command}\` of "${member.card}" is asked about: ${reason}`
  return [{ ...shared, code: 'verify_asks', message, hint: 'allow it in `permissions` of the team' }]
}

/** The policy that the team file alone makes; settings of person and project may add to it. */
function policyIn(team: UnhashedTeam, member: MemberCard): Policy {
  return {
    mode: member.permissions.mode ?? team.permissions.mode ?? 'default',
    rules: { project: memberRules(team, member) },
    bounds: { protected: [], scope: [], blockedHosts: [] },
    directories: ['/'],
  }
}

type Ruled = Pick<UnhashedTeam, 'permissions' | 'members'>

/**
 * The rules of a team file that hold for a member: the team's, its own, and what the coordinator is denied or asked about,
 * for a worker does the coordinator's work.
 *
 * @example memberRules(team, card).deny // ['Bash(git push:*)', 'Bash(rm *)']
 */
export function memberRules(
  { permissions, members }: Ruled,
  card: Pick<MemberCard, 'permissions'>,
): Record<Behavior, string[]> {
  const lead = members.find(({ role }) => role === 'coordinator')?.permissions ?? {}
  const joined = (list: Behavior, more: readonly string[] = []): string[] => [
    ...new Set([...(permissions[list] ?? []), ...(card.permissions[list] ?? []), ...more]),
  ]
  return { allow: joined('allow'), ask: joined('ask', lead.ask), deny: joined('deny', lead.deny) }
}

/** The rights of a member as the team file alone makes them. */
export interface MemberRights extends Record<Behavior, readonly string[]> {
  /** Members of the same card have the same. */
  readonly card: string
  readonly mode: PermissionMode
  readonly tools: readonly string[]
}

/** The rights of each card of a team; settings of person and project may change them. */
export function memberRights(team: UnhashedTeam): readonly MemberRights[] {
  const shared = team.permissions.mode ?? 'default'
  return oncePerCard(team.members).map((member) => {
    const { mode: own = shared } = member.permissions
    const mode = modeWidth[own] > modeWidth[shared] ? shared : own
    return { card: member.card, mode, tools: member.tools, ...memberRules(team, member) }
  })
}

/** One line: `writer: default mode, Read and Write, denied Bash(rm *)`. */
export function rightsText({ card, mode, tools, ...rules }: MemberRights): string {
  const said = (['allow', 'ask', 'deny'] as const).flatMap((list) =>
    rules[list].length === 0 ? [] : [`${list} ${rules[list].join(', ')}`],
  )
  return [
    `${card}: ${mode} mode`,
    tools.length === 0 ? 'no tools of its own' : `tools ${tools.join(', ')}`,
    ...said,
  ].join('; ')
}
