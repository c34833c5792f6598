import type { PermissionMode, RuleLists } from '../protocol/permission.ts'
import type { MemberCard, ResolvedTeam } from '../protocol/team-card.ts'
import { coversCommand } from './permission-match.ts'
import { coversTool, parseRule, type PermissionRule } from './permission-rule.ts'
import { cardPath, type TeamProblem } from './team-problem.ts'

/** How much each mode lets through without a question. */
const width: Readonly<Record<PermissionMode, number>> = {
  plan: 0,
  dontAsk: 1,
  default: 1,
  acceptEdits: 2,
  bypassPermissions: 3,
}

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

function listProblems(lists: RuleLists, path: TeamProblem['path']): TeamProblem[] {
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
  return [...broken, ...shadowed]
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
  if (member.permissions.mode !== undefined && width[member.permissions.mode] > width[mode]) {
    const message = `"${member.card}" runs in ${member.permissions.mode} mode, which allows more than the team's ${mode}`
    problems.push({ severity: 'error', code: 'wider_mode', message, path: [...path, 'mode'] })
  }
  return problems
}

/** The first of `others` that matches everything `text` matches. */
function shadowOf(text: string, others: readonly string[]): string | undefined {
  const rule = parseRule(text)
  if ('error' in rule) return undefined
  return others.find((other) => {
    const above = parseRule(other)
    return !('error' in above) && covers(above, rule)
  })
}

function covers(above: PermissionRule, rule: PermissionRule): boolean {
  if (!coversTool(above, rule.tool)) return false
  if (above.kind === 'tool') return true
  if (above.kind !== rule.kind) return false
  if (above.specifier === rule.specifier) return true
  if (above.kind !== 'command') return false
  // A prefix rule is covered when the prefix alone and the prefix with anything behind it are.
  const prefix = rule.specifier.replace(/(:\*| \*)$/, '')
  return coversCommand(above, prefix) && (prefix === rule.specifier || coversCommand(above, `${prefix} \0`))
}
