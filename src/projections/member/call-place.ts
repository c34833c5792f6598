import { callsOf } from '../../protocol/conversation/message.ts'
import { logOf, type Conversation } from '../../rules/conversation/context-window.ts'

/**
 * Where a call stands in the journal: `historian-17-2` is the second call of the message in the entry `historian-17`.
 * It is the same after a restart, and no other call's, whatever ids a model gives its calls. Null when nobody made it.
 */
export function placeOfCall(conversation: Conversation, callId: string): string | null {
  const log = logOf(conversation)
  for (const { id, message } of log.toReversed()) {
    const index = message.role === 'assistant' ? callsOf(message).findIndex((call) => call.id === callId) : -1
    if (index !== -1) return `${id}-${index + 1}`
  }
  // The second command of a skill that the call `c1`, or a person in the entry `c1`, opened is the call `c1!2`.
  const [, opening, command] = /^(.+)!(\d+)$/.exec(callId) ?? []
  if (opening === undefined) return null
  const place = log.some(({ id }) => id === opening) ? opening : placeOfCall(conversation, opening)
  return place === null ? null : `${place}-${command}`
}

/** A place behind the calls of the latest answer, for what the runtime itself does about it: `historian-17-1`. */
export function placeBehindCalls(conversation: Conversation): string | null {
  const log = logOf(conversation)
  const last = log.findLast(({ message }) => message.role === 'assistant')
  return last?.message.role === 'assistant' ? `${last.id}-${callsOf(last.message).length + 1}` : null
}
