import { failure } from '../../protocol/conversation/failure.ts'
import { failedAnswer, type AssistantMessage } from '../../protocol/conversation/message.ts'
import type { AnswerDelta, Model, ModelRequest } from '../../protocol/models/model.ts'

/** A delta, or the word that all deltas of this answer so far are void. */
export type HeardDelta = AnswerDelta | { readonly type: 'reset'; readonly text: '' }

/** A listener to an answer, and the signal that stops it. */
export interface Listening {
  readonly signal: AbortSignal
  readonly hear: (delta: HeardDelta) => void
}

interface Attempt extends Listening {
  /** Called before the first delta. */
  readonly began: () => void
}

/** One attempt: asks a model and listens to the end. */
export async function askModel(model: Model, request: ModelRequest, attempt: Attempt): Promise<AssistantMessage> {
  let hasBegun = false
  for await (const event of model.stream(request, attempt.signal)) {
    if (event.type === 'settled') return event.message
    if (!hasBegun) attempt.began()
    hasBegun = true
    attempt.hear(event)
  }
  return failedAnswer(model.name, failure('stream_broken', 'the model ended without an answer'))
}
