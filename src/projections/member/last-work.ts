import type { Entry } from '../../protocol/facts/entry.ts'
import { isSpoken } from '../../rules/conversation/context-window.ts'
import { applyObligations, emptyObligations, isRecall } from '../team/obligations.ts'

/** The last piece of work of a member, as its journal tells of it. */
export interface LastWork {
  /**
   * True when the work had come to its end: the agent had ended, or its request was cancelled. A later life does not
   * take such work up again, though the conversation may end with unanswered words.
   */
  readonly over: boolean
  /** The model that has it since it was handed to the stronger one; null while the member's own has it. */
  readonly escalated: string | null
}

/** @example lastWork(readJournal(file).entries).over */
export function lastWork(entries: readonly Entry[]): LastWork {
  const debts = emptyObligations()
  let [hasEnded, isCalledOff] = [false, false]
  let escalated: string | null = null
  for (const entry of entries) {
    if (entry.type === 'agent.ended') hasEnded = true
    else if (isBeginning(entry)) [hasEnded, isCalledOff] = [false, false]
    // A note of the runtime about a recall asks for nothing.
    else if (entry.type === 'message.appended' && entry.message.role === 'user') hasEnded = false
    const isOff = entry.type === 'mail.received' && isRecall(debts, entry.envelope)
    applyObligations(debts, { owner: '', entry })
    if (isOff && debts.owed.size === 0) isCalledOff = true
    // The turn of a task that waited.
    if (debts.due) [hasEnded, isCalledOff] = [false, false]
    escalated = hasEnded || isCalledOff ? null : modelAfter(escalated, entry)
  }
  return { over: hasEnded || isCalledOff, escalated }
}

function modelAfter(escalated: string | null, entry: Entry): string | null {
  if (entry.type === 'model.escalated') return entry.to
  return entry.type === 'model.fell_back' && escalated !== null ? entry.to : escalated
}

function isBeginning(entry: Entry): boolean {
  if (entry.type === 'mail.received') return isSpoken(entry.envelope)
  if (entry.type === 'message.appended') return entry.message.role === 'user' && entry.message.origin === 'person'
  return entry.type === 'agent.started'
}
