import type { MemberCard } from '../../protocol/team/team-card.ts'
import { cardPath, type TeamProblem } from './team-problem.ts'

/** Doubts about how a member's work is planned and checked. */
export function workProblems(cards: readonly MemberCard[]): readonly TeamProblem[] {
  return cards.flatMap((member) => [...planProblems(member), ...adviceProblems(member), ...escalationProblems(member)])
}

/** A member that enters plan mode and cannot propose a plan never gets anything done. */
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

/** A member that escalates to its own model gains nothing. */
function escalationProblems(member: MemberCard): readonly TeamProblem[] {
  const { model, fallback = [], escalate } = member
  if (escalate === undefined || ![model, ...fallback].includes(escalate.model)) return []
  const message = `"${member.card}" would turn to ${escalate.model}, which answers for it already`
  const path = [...cardPath(member), 'escalate']
  return [{ severity: 'warning', code: 'escalates_to_itself', message, path, hint: 'name a stronger model' }]
}
