import { failure, type Failure } from '../../../protocol/conversation/failure.ts'
import { noUsage, type AssistantMessage, type Usage } from '../../../protocol/conversation/message.ts'
import type { ModelEvent } from '../../../protocol/models/model.ts'

type Block = AssistantMessage['content'][number]

/**
 * Streams a message that is already known: thinking and text in words, then the settled message.
 * An abort settles with what was said so far and without calls: half a call must not run.
 */
export async function* speak(
  message: AssistantMessage,
  signal: AbortSignal,
  hang: boolean,
): AsyncGenerator<ModelEvent> {
  const said: Block[] = []
  for (const block of message.content) {
    if (block.type !== 'text' && block.type !== 'thinking') continue
    let text = ''
    for (const word of block.text.split(/(?<=\s)(?=\S)/).filter((part) => part !== '')) {
      if (signal.aborted) break
      text += word
      yield { type: block.type, text: word }
    }
    if (text !== '') said.push({ ...block, text })
  }
  if (hang) await aborted(signal)
  if (signal.aborted) {
    const reason = failure('aborted', 'the request was aborted')
    yield settledWith(message.model, said, { stop: 'aborted', failure: reason, usage: message.usage })
  } else {
    yield { type: 'settled', message }
  }
}

/** A settled event for a message that was not completed. */
export function settledWith(
  model: string,
  content: readonly Block[],
  end: { readonly stop?: 'error' | 'aborted'; readonly failure: Failure; readonly usage?: Usage },
): ModelEvent {
  const { stop = 'error', failure: reason, usage = noUsage } = end
  return {
    type: 'settled',
    message: { role: 'assistant', model, content: [...content], stop, usage, failure: reason },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
