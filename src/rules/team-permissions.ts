import type { PermissionMode, RuleLists } from '../protocol/permission.ts'
import type { MemberCard, ResolvedTeam } from '../protocol/team-card.ts'
import { modeWidth } from './permission-mode.ts'
import { allowProblem, parseRule } from './permission-rule.ts'
import { strippedBecause } from './permission-strip.ts'
import { shadowOf } from './shadowed-rules.ts'
import { cardPath, type TeamProblem } from './team-problem.ts'

/**
 * What contradicts itself in a team's permissions: rules that cannot be read, allow rules that a deny or ask
 * rule always beats, and members that would be allowed more than their team.
 */
export function permissionProblems(team: ResolvedTeam, cards: readonly MemberCard[]): TeamProblem[] {
  return [
    ...listProblems(team.permissions, ['permissions']),
    ...cards.flatMap((member) => [
      ...listProblems(member.permissions, [...cardPath(member), 'permissions']),
      ...excessProblems(member, team),
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

function excessProblems(member: MemberCard, team: ResolvedTeam): TeamProblem[] {
  const path = [...cardPath(member), 'permissions']
  const problems: TeamProblem[] = []
  for (const [i, text] of (member.permissions.allow ?? []).entries()) {
    const above = shadowOf(text, team.permissions.deny ?? [])
    if (above === undefined) continue
    const message = `"${member.card}" allows ${text}, which the team denies (${above})`
    problems.push({ severity: 'error', code: 'allow_denied', message, path: [...path, 'allow', i] })
  }
  const mode = team.permissions.mode ?? 'default'
  if (member.permissions.mode !== undefined && modeWidth[member.permissions.mode] > modeWidth[mode]) {
    const message = `"${member.card}" runs in ${member.permissions.mode} mode, which allows more than the team's ${mode}`
    problems.push({ severity: 'error', code: 'wider_mode', message, path: [...path, 'mode'] })
  }
  return problems
}
