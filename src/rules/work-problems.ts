import type { Policy } from '../protocol/permission.ts'
import type { MemberCard, ResolvedTeam } from '../protocol/team-card.ts'
import { analyse } from './permission-analyse.ts'
import { decide } from './permission-cascade.ts'
import { cardPath, type TeamProblem } from './team-problem.ts'

/** What is doubtful about how a member's work is planned and checked. */
export function workProblems(team: ResolvedTeam, cards: readonly MemberCard[]): readonly TeamProblem[] {
  return cards.flatMap((member) => [
    ...verifyProblems(member, team),
    ...planProblems(member),
    ...adviceProblems(member),
    ...escalationProblems(member),
  ])
}

/** Who enters plan mode and cannot propose a plan never gets anything done. */
function planProblems(member: MemberCard): readonly TeamProblem[] {
  const at = member.tools.indexOf('EnterPlanMode')
  if (at === -1 || member.tools.includes('ExitPlanMode')) return []
  const message = `"${member.card}" may enter plan mode and has no way to propose a plan`
  const path = [...cardPath(member), 'tools', at]
  return [{ severity: 'error', code: 'plan_without_exit', message, path, hint: 'add ExitPlanMode to its tools' }]
}

/** The tool comes with the key that says whom it asks. */
function adviceProblems(member: MemberCard): readonly TeamProblem[] {
  const at = member.tools.indexOf('Advisor')
  if (at === -1 || member.advisor) return []
  const message = `"${member.card}" has the tool Advisor and no advisor to ask`
  const path = [...cardPath(member), 'tools', at]
  return [{ severity: 'error', code: 'no_advisor', message, path, hint: 'write `advisor: provider/model`' }]
}

/** Whoever turns to itself has nobody stronger. */
function escalationProblems(member: MemberCard): readonly TeamProblem[] {
  const { model, fallback = [], escalate } = member
  if (escalate === undefined || ![model, ...fallback].includes(escalate.model)) return []
  const message = `"${member.card}" would turn to ${escalate.model}, which answers for it already`
  const path = [...cardPath(member), 'escalate']
  return [{ severity: 'warning', code: 'escalates_to_itself', message, path, hint: 'name a stronger model' }]
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
