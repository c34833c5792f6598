import { ulid } from 'ulid'
import { callsOf, type AssistantMessage, type Message } from '../../../protocol/conversation/message.ts'

/**
 * The answer with an id of its own for every call. Some servers give none, some number the calls of every answer from
 * zero again; vendors refuse a conversation in which an id comes twice.
 *
 * @param before the conversation that the answer belongs to
 */
export function withOwnIds(message: AssistantMessage, before: readonly Message[]): AssistantMessage {
  if (message.content.every(({ type }) => type !== 'tool_use')) return message
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

interface Gathered {
  /** How many messages `ids` stands for. */
  count: number
  readonly ids: Set<string>
}

const gathered = new WeakMap<readonly Message[], Gathered>()

/** The ids of all calls of a conversation, gathered as it grows. */
function idsIn(messages: readonly Message[]): ReadonlySet<string> {
  const known = gathered.get(messages) ?? { count: 0, ids: new Set() }
  gathered.set(messages, known)
  for (; known.count < messages.length; known.count += 1) {
    const message = messages[known.count]
    if (message?.role === 'assistant') for (const { id } of callsOf(message)) known.ids.add(id)
  }
  return known.ids
}
