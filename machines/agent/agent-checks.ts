import { failure } from '../../src/protocol/conversation/failure.ts'
import type { StopHooksOutput, VerifyOutput } from '../../src/protocol/port.ts'
import type { VerifyMoment } from '../../src/protocol/work/work-fact.ts'
import type { VerifyPlan } from '../../src/protocol/team/work-card.ts'
import { refutationText, unverifiedText, verifyCall } from '../../src/rules/team/verification.ts'
import type { AgentContext, AgentFact, AgentInput, End, AgentStep } from './agent-state.ts'
import type { VerificationInput } from '../call/verification.ts'
import { another, interruptedText, runtimeSays } from './agent-steps.ts'

/* The pure transitions of a checked agent: what passes, what does not, and when that is the end of it. */

export type Refuted = Extract<VerifyOutput, { verdict: 'failed' }>

export function verified({ state }: AgentContext): AgentStep {
  return { state: { ...state, verified: true, refutals: 0 }, facts: [] }
}

/** The work has come to an end that does not pass; once more than it may, that is the end of it. */
export function refuted({ card, state }: AgentContext, { report }: Refuted): AgentStep {
  const failures = state.refutals + 1
  const told = refutationText(planOf(card), { after: 'end', report, failures })
  return { state: { ...state, refutals: failures, next: another('verify_failed', [runtimeSays(told)]) }, facts: [] }
}

/** The report of the check after these calls, for the model to read with their results. */
export function hintRefuted({ card, state }: AgentContext, { report }: Refuted): AgentStep {
  const told = refutationText(planOf(card), { after: 'change', report, failures: state.refutals })
  return { state: { ...state, hints: [...state.hints, told] }, facts: [] }
}

/** The check that runs has no verdict: the agent was aborted meanwhile. */
export function uncheckedBy({ card, state }: AgentContext, after: VerifyMoment): AgentStep {
  const { command } = planOf(card)
  const { id: call_id } = verifyCall({ command }, state.turn)
  const settledFact: AgentFact = {
    type: 'verify.settled',
    call_id,
    command,
    after,
    verdict: 'not_run',
    duration_ms: 0,
    reason: interruptedText,
  }
  return { state, facts: [settledFact] }
}

/** The input of the actor `verify`. */
export function checkOf({ card, state }: AgentContext, after: VerifyMoment): VerificationInput {
  return { plan: planOf(card), turn: state.turn, after }
}

/** How the work is checked; asked only where something checks it. */
function planOf({ verify }: Pick<AgentInput, 'verify'>): VerifyPlan {
  return verify ?? { command: '', after_changes: false, attempts: 1, timeout_ms: 1 }
}

/** Work that was checked as often as it may be and never passed has failed. */
export function unverifiedEnd(card: AgentInput, { report }: Refuted): End {
  return { reason: 'failed', failure: failure('unverified', unverifiedText(planOf(card), report)) }
}

/** The end that a stop hook wants. */
export function preventedBy(output: StopHooksOutput): End {
  const what = output.verdict === 'prevent' ? output.failure : undefined
  return what === undefined ? { reason: 'stop_hook_prevented' } : { reason: 'failed', failure: what }
}
