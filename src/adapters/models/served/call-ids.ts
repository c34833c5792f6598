import { ulid } from 'ulid'
import type { AssistantMessage, Message } from '../../../protocol/conversation/message.ts'

/**
 * The answer with an id of its own for every call. Some servers give none, some number the calls of every answer from
 * zero again; vendors refuse a conversation in which an id comes twice.
 *
 * @param before the conversation that the answer belongs to
 */
export function withOwnIds(message: AssistantMessage, before: readonly Message[]): AssistantMessage {
  const isEarlier = (id: string): boolean =>
    before.some((one) => one.role === 'assistant' && one.content.some((block) => 'id' in block && block.id === id))
  const own = new Set<string>()
  let isChanged = false
  const content = message.content.map((block) => {
    if (block.type !== 'tool_use') return block
    const isFree = block.id.trim() !== '' && !isEarlier(block.id) && !own.has(block.id)
    own.add(block.id)
    if (isFree) return block
    isChanged = true
    return { ...block, id: `call_${ulid()}` }
  })
  return isChanged ? { ...message, content } : message
}
