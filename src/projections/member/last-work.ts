import type { Failure } from '../../protocol/conversation/failure.ts'
import type { Message } from '../../protocol/conversation/message.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'
import { isSpoken } from '../../rules/conversation/context-window.ts'
import type { EntryOf } from '../fold/fold.ts'
import { applyObligations, emptyObligations, isRecall, type Obligations } from '../team/obligations.ts'

/** The last piece of work of a member, as its journal tells of it: what a later life takes up. */
export interface LastWork {
  readonly debts: Obligations
  /** The agent had ended. */
  hasEnded: boolean
  /** The request was cancelled. */
  isCalledOff: boolean
  /** The model that has it since it was handed to the stronger one; null while the member's own has it. */
  escalated: string | null
  /** The last words were said, and the work was never declared over. */
  saidLast: boolean
  /** The check that was under way. */
  check: Pick<EntryOf<'verify.started'>, 'call_id' | 'command'> | null
  /** The agent's last end; null once it began again. */
  end: (Pick<EntryOf<'agent.ended'>, 'reason' | 'turn'> & { readonly failure?: Failure }) | null
  /** The failure of the latest answer. */
  failure: Failure | null
  /** The calls of the latest answer: a model may give its calls ids that earlier ones had. */
  calls: AskedCalls
}

/** The fate of the calls of one answer, by their ids. */
export interface AskedCalls {
  readonly begun: Set<string>
  readonly finished: Set<string>
  /** Inputs as whoever permitted the call changed them. */
  readonly inputs: Map<string, unknown>
  /** A message that does not wait came after they were asked for. */
  spokenInto: boolean
}

export function emptyLastWork(): LastWork {
  return {
    debts: emptyObligations(),
    hasEnded: false,
    isCalledOff: false,
    escalated: null,
    saidLast: false,
    check: null,
    end: null,
    failure: null,
    calls: noCalls(),
  }
}

function noCalls(): AskedCalls {
  return { begun: new Set(), finished: new Set(), inputs: new Map(), spokenInto: false }
}

/**
 * Whether the work had come to its end. A later life does not take such work up again, though the conversation may end
 * with unanswered words.
 */
export function isOver({ hasEnded, isCalledOff }: LastWork): boolean {
  return hasEnded || isCalledOff
}

/** The check that an earlier life left open, as ended without a verdict. */
export function droppedCheck({ check, saidLast }: LastWork): readonly FactOf<'verify.settled'>[] {
  if (check === null) return []
  const after = saidLast ? 'end' : 'change'
  const reason = 'the process that ran it ended'
  return [{ type: 'verify.settled', ...check, after, verdict: 'not_run', duration_ms: 0, reason }]
}

/** Takes one entry of the member's own journal in. */
export function applyLastWork(work: LastWork, entry: Entry): void {
  if (entry.type === 'message.appended') noteMessage(work, entry.message)
  noteEnd(work, entry)
  noteCalls(work.calls, entry)
  if (entry.type === 'agent.ended') work.hasEnded = true
  else if (isBeginning(entry)) begin(work)
  // A note of the runtime about a recall asks for nothing.
  else if (entry.type === 'message.appended' && entry.message.role === 'user') work.hasEnded = false
  const isOff = entry.type === 'mail.received' && isRecall(work.debts, entry.envelope)
  applyObligations(work.debts, { owner: '', entry })
  if (isOff && work.debts.owed.size === 0) work.isCalledOff = true
  // The turn of a task that waited.
  if (work.debts.due) begin(work)
  work.escalated = isOver(work) ? null : modelAfter(work.escalated, entry)
}

function begin(work: LastWork): void {
  work.hasEnded = false
  work.isCalledOff = false
}

function noteMessage(work: LastWork, message: Message): void {
  work.saidLast = message.role === 'assistant' && !message.content.some(({ type }) => type === 'tool_use')
  if (message.role !== 'assistant') return
  work.failure = message.failure ?? null
  work.calls = noCalls()
}

function noteEnd(work: LastWork, entry: Entry): void {
  if (entry.type === 'agent.started') work.end = null
  else if (entry.type === 'agent.ended') {
    const { reason, turn, failure } = entry
    work.end = { reason, turn, ...(failure ? { failure } : {}) }
    work.saidLast = false
  } else if (entry.type === 'verify.started') {
    work.check = { call_id: entry.call_id, command: entry.command }
  } else if (entry.type === 'verify.settled') work.check = null
}

function noteCalls(calls: AskedCalls, entry: Entry): void {
  if (entry.type === 'call.started') calls.begun.add(entry.call_id)
  else if (entry.type === 'call.finished') {
    calls.finished.add(entry.call_id)
    if (entry.skipped) calls.spokenInto = true
  } else if (entry.type === 'permission.decided') {
    if (entry.updated_input === undefined) calls.inputs.delete(entry.call_id)
    else calls.inputs.set(entry.call_id, entry.updated_input)
  } else if (entry.type === 'mail.received' && entry.envelope.priority === 'interrupt') calls.spokenInto = true
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
