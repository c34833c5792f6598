import type { Decision } from '../../protocol/permissions/permission.ts'

/**
 * The text for a model whose call was not permitted. The three ways to be refused need three
 * different reactions: a rule will refuse again, a person has an opinion, and where nobody can be asked
 * somebody has to add a rule first.
 *
 * @example refusalText({ behavior: 'deny', source: 'human', reason: 'not now' })
 */
export function refusalText(decision: Decision, tool = ''): string {
  const ofPlan = tool === 'ExitPlanMode' ? planRefusal(decision.source, decision.reason) : null
  if (ofPlan !== null) return ofPlan
  const about = decision.path === undefined ? '' : ` (${decision.path})`
  const because = decision.reason === '' ? '' : ` ${sentence(decision.reason)}`
  if (decision.source === 'human') {
    return `A person refused this call${about}.${because} Do not try it again in another way; go on without it or ask.`
  }
  if (decision.source === 'nobody') {
    return `This call needs approval${about} and nobody can be asked.${because} Go on without it and say what is missing.`
  }
  const rule =
    decision.rule === undefined
      ? ''
      : ` by the rule ${decision.rule}${decision.of === undefined ? '' : ` of ${decision.of}, for whom you act`}`
  return `Permission denied${rule} (${decision.source})${about}.${because} Trying again will be denied again.`
}

/** The text for a model whose plan was not approved; null when the plan was refused for another reason. */
function planRefusal(source: string, reason: string): string | null {
  if (source === 'human') {
    return `The plan was not approved: ${sentence(reason)} You are still in plan mode: change the plan accordingly and propose it again, or end with what you know.`
  }
  if (source === 'nobody') {
    return `Nobody can approve a plan now: ${sentence(reason)} You are still in plan mode: end your turn with the plan as your answer.`
  }
  return null
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
