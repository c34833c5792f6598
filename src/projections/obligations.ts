import type { Entry } from '../protocol/entry.ts'
import type { Envelope } from '../protocol/envelope.ts'

/** What a member owes and is owed, oldest first. */
export interface Obligations {
  /** Tasks and questions that it received and has not answered. */
  readonly owed: Map<string, Envelope>
  /** Questions that it asked and that nobody has answered, by their mail. */
  readonly asked: Set<string>
}

export function emptyObligations(): Obligations {
  return { owed: new Map(), asked: new Set() }
}

/** The name under which a debt is settled: the delegated request, else the mail itself. */
export function debtOf(envelope: Envelope): string {
  return envelope.request ?? envelope.id
}

/** Whether a mail lets its recipient off: whoever asked for something does not want it any more. */
export function isRecall({ owed }: Obligations, mail: Envelope): boolean {
  return mail.kind === 'control' && mail.request !== undefined && owed.get(mail.request)?.from === mail.from
}

export function applyObligations(state: Obligations, entry: Entry): void {
  if (entry.type === 'mail.sent') {
    if (entry.envelope.kind === 'question') state.asked.add(entry.envelope.id)
  } else if (entry.type === 'mail.received') {
    const { kind, reply_to } = entry.envelope
    if (kind === 'answer' && reply_to !== undefined) state.asked.delete(reply_to)
    if (kind === 'task' || kind === 'question') state.owed.set(debtOf(entry.envelope), entry.envelope)
    else if (isRecall(state, entry.envelope)) state.owed.delete(debtOf(entry.envelope))
  } else if (entry.type === 'member.replied') {
    state.owed.delete(entry.request)
  }
}
