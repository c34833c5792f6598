import type { Policy } from '../protocol/permission.ts'
import type { MemberCard, ResolvedTeam } from '../protocol/team-card.ts'
import { analyse } from './permission-analyse.ts'
import { decide } from './permission-cascade.ts'
import { cardPath, type TeamProblem } from './team-problem.ts'

/** What is doubtful about how a member's work is checked. */
export function workProblems(team: ResolvedTeam, cards: readonly MemberCard[]): readonly TeamProblem[] {
  return cards.flatMap((member) => verifyProblems(member, team))
}

/** A check that the team's own rules do not allow is asked about each time, or never runs. */
function verifyProblems(member: MemberCard, team: ResolvedTeam): readonly TeamProblem[] {
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

/** What the team file alone says; settings of person and project may say more. */
function policyIn(team: ResolvedTeam, { permissions }: MemberCard): Policy {
  const both = (list: 'allow' | 'ask' | 'deny'): string[] => [
    ...(team.permissions[list] ?? []),
    ...(permissions[list] ?? []),
  ]
  return {
    mode: permissions.mode ?? team.permissions.mode ?? 'default',
    rules: { project: { allow: both('allow'), ask: both('ask'), deny: both('deny') } },
    bounds: { protected: [], scope: [], blockedHosts: [] },
    directories: ['/'],
  }
}
