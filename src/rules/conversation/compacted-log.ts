import type { FactOf } from '../../protocol/facts/fact.ts'
import { noUsage, userMessage, type Message } from '../../protocol/conversation/message.ts'
import type { Logged } from './logged.ts'
import { shortMessage } from './short-message.ts'

type Compacted = FactOf<'context.compacted'> & { readonly id: string }

/**
 * The messages after a compaction: some shortened, some gone, and the summary in place of the first that is gone. What
 * models counted in the longer conversation is forgotten.
 */
export function compactedLog(log: readonly Logged[], entry: Compacted): Logged[] {
  const { id, dropped, summary } = entry
  const gone = new Set(dropped)
  const shortOf = shortener(entry)
  const kept: Logged[] = []
  let isTold = summary === undefined
  for (const logged of log) {
    if (!gone.has(logged.id)) {
      kept.push({ ...logged, message: uncounted(shortOf(logged)) })
    } else if (!isTold && summary !== undefined) {
      kept.push({ id, message: userMessage(summary, 'summary') })
      isTold = true
    }
  }
  return kept
}

function shortener({ trimmed, cut = {}, stale = {} }: Compacted): (logged: Logged) => Message {
  const usual = new Set(trimmed)
  return ({ id, message }) => {
    const chars = cut[id]
    if (chars !== undefined) return shortMessage(message, { chars, stale: stale[id] })
    return usual.has(id) || stale[id] !== undefined ? shortMessage(message, { stale: stale[id] }) : message
  }
}

function uncounted(message: Message): Message {
  return message.role === 'assistant' ? { ...message, usage: noUsage } : message
}
