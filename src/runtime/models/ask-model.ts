import { failure } from '../../protocol/conversation/failure.ts'
import { noUsage, type AssistantMessage } from '../../protocol/conversation/message.ts'
import type { Model, ModelRequest } from '../../protocol/models/model.ts'
import type { Failure } from '../../protocol/conversation/failure.ts'

/** What is said while a model answers; `reset`: all that was said of this answer is void. */
export interface Said {
  readonly type: 'text' | 'thinking' | 'reset'
  readonly text: string
}

/** Who listens to an answer, and how it is stopped. */
export interface Listening {
  readonly signal: AbortSignal
  readonly hear: (said: Said) => void
}

interface Attempt extends Listening {
  /** Before the first thing that is said. */
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
  return failed(model.name, failure('stream_broken', 'the model ended without an answer'))
}

/** An attempt that came to nothing. */
export function failed(model: string, reason: Failure): AssistantMessage {
  return { role: 'assistant', model, content: [], stop: 'error', usage: noUsage, failure: reason }
}
