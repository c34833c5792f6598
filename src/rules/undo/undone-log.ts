import { textOf, userMessage, type Message } from '../../protocol/conversation/message.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'

/** A message of a conversation under the id of its entry. */
interface Logged {
  readonly id: string
  readonly message: Message
}

type Undone = FactOf<'turns.undone'> & { readonly id: string }

/**
 * The messages after turns were taken back: those from before, then the words of others that came since, which are shown again, and a
 * note that says what became of the work.
 */
export function undoneLog(log: readonly Logged[], { id, from, messages, note }: Undone): Logged[] {
  const place = log.findIndex((each) => each.id === from)
  const before = messages ?? (place === -1 ? log : log.slice(0, place))
  const known = new Set(before.map((each) => each.id))
  const since = log.slice(Math.max(0, place)).filter((each) => !known.has(each.id) && isOfOthers(each.message))
  return [...before, ...since, { id, message: userMessage(note, 'runtime') }]
}

function isOfOthers(message: Message): boolean {
  if (message.role !== 'user') return false
  return message.origin === 'person' || (message.origin === 'runtime' && textOf(message).startsWith('<message from='))
}
