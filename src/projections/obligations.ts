import type { Entry } from '../protocol/entry.ts'
import type { Envelope } from '../protocol/envelope.ts'

/** What a member owes: tasks and questions it received and has not answered, oldest first. */
export interface Obligations {
  readonly owed: Map<string, Envelope>
}

export function emptyObligations(): Obligations {
  return { owed: new Map() }
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
  if (entry.type === 'mail.received') {
    const { kind } = entry.envelope
    if (kind === 'task' || kind === 'question') state.owed.set(debtOf(entry.envelope), entry.envelope)
    else if (isRecall(state, entry.envelope)) state.owed.delete(debtOf(entry.envelope))
  } else if (entry.type === 'member.replied') {
    state.owed.delete(entry.request)
  }
}
