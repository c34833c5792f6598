import type { Entry } from '../protocol/entry.ts'
import { isSpoken } from '../rules/context-window.ts'
import { applyObligations, emptyObligations, isRecall } from './obligations.ts'

/**
 * Whether the last piece of work of a member had come to its end by what its journal says: its agent had ended, or
 * nobody waited for it any more. A life that follows does not take such work up again, though its conversation may end
 * with words that nobody answered.
 * @example isWorkOver(readJournal(file).entries)
 */
export function isWorkOver(entries: readonly Entry[]): boolean {
  const debts = emptyObligations()
  let [hasEnded, isCalledOff] = [false, false]
  for (const entry of entries) {
    if (entry.type === 'agent.ended') hasEnded = true
    else if (isBeginning(entry)) [hasEnded, isCalledOff] = [false, false]
    // What the runtime notes of a recall asks for nothing.
    else if (entry.type === 'message.appended' && entry.message.role === 'user') hasEnded = false
    const isOff = entry.type === 'mail.received' && isRecall(debts, entry.envelope)
    applyObligations(debts, entry)
    if (isOff && debts.owed.size === 0) isCalledOff = true
  }
  return hasEnded || isCalledOff
}

function isBeginning(entry: Entry): boolean {
  if (entry.type === 'mail.received') return isSpoken(entry.envelope)
  if (entry.type === 'message.appended') return entry.message.role === 'user' && entry.message.origin === 'person'
  return entry.type === 'agent.started'
}
