import { ulid } from 'ulid'
import type { AssistantMessage, Message } from '../../../protocol/conversation/message.ts'

/**
 * The answer with an id of its own for every call. Some servers give none, some number the calls of every answer from
 * zero again; vendors refuse a conversation in which an id comes twice.
 *
 * @param before the conversation that the answer belongs to
 */
export function withOwnIds(message: AssistantMessage, before: readonly Message[]): AssistantMessage {
  const earlier = idsIn(before)
  const own = new Set<string>()
  let isChanged = false
  const content = message.content.map((block) => {
    if (block.type !== 'tool_use') return block
    const isFree = block.id.trim() !== '' && !earlier.has(block.id) && !own.has(block.id)
    own.add(block.id)
    if (isFree) return block
    isChanged = true
    return { ...block, id: `call_${ulid()}` }
  })
  return isChanged ? { ...message, content } : message
}

const known = new WeakMap<readonly Message[], { readonly ids: Set<string>; count: number }>()

/** Ids of a conversation's calls. It only grows: each message is looked at once. */
function idsIn(messages: readonly Message[]): ReadonlySet<string> {
  const seen = known.get(messages) ?? { ids: new Set(), count: 0 }
  known.set(messages, seen)
  for (const message of messages.slice(seen.count)) {
    if (message.role !== 'assistant') continue
    for (const block of message.content) if ('id' in block) seen.ids.add(block.id)
  }
  seen.count = messages.length
  return seen.ids
}
