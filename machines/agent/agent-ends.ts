import { failure, type Failure } from '../../src/protocol/conversation/failure.ts'
import type { AssistantMessage } from '../../src/protocol/conversation/message.ts'
import { errorText } from '../../src/protocol/words/error-text.ts'
import { noAnswerReason } from '../../src/rules/team/wind-down-text.ts'
import type { End, LoopState } from './agent-state.ts'

/* The ends of an agent that does not end well, and their reasons. */

const unsaid = failure('crashed', 'The model ended in an error without saying which.')

/** A port that did not answer, by its name. */
export interface Rejection {
  readonly at: string
  readonly error: unknown
}

/** The end of an agent that gave no answer when it was asked, either. */
export function unansweredEnd({ used, turn }: LoopState): End {
  return { reason: 'no_answer', failure: failure('no_answer', noAnswerReason(used, turn)) }
}

/** Which end a failed message leads to, when nothing can be tried any more. */
export function failedEnd(message: AssistantMessage | null): End {
  const what = message?.failure ?? unsaid
  if (what.code === 'context_exceeded') return { reason: 'prompt_too_long', failure: what }
  if (what.code === 'budget_exhausted') return { reason: 'budget_exhausted', failure: what }
  return { reason: 'failed', failure: what }
}

/**
 * The end after a port that broke its promise to answer: `crashedEnd({ at: 'intake', error: new Error('disk full') })`.
 */
export function crashedEnd({ at, error }: Rejection): End {
  return { reason: 'failed', failure: failure('crashed', `${at}: ${errorText(error)}`) }
}

/** The failure that ended the run; there is one wherever this is asked. */
export function endFailure({ end }: LoopState): Failure {
  return end.failure ?? unsaid
}
