import type { EntryOf } from '../projections/fold.ts'
import type { Recorded } from '../protocol/entry.ts'
import type { Envelope } from '../protocol/envelope.ts'

/** A result or answer that was sent and will never be read. */
export interface DeadResult {
  readonly envelope: Envelope
  readonly died: EntryOf<'mail.died'>
}

/**
 * Follows results on their way: what its sender's journal says was sent and its recipient's says had to be given up.
 * The file itself is not believed; it may be torn or forged.
 */
export function deadResults(tell: (dead: DeadResult) => void): (recorded: Recorded) => void {
  const underway = new Map<string, Envelope>()
  return ({ entry }) => {
    if (entry.type === 'mail.sent') {
      const { envelope } = entry
      if (envelope.kind === 'result' || envelope.kind === 'answer') underway.set(envelope.id, envelope)
    } else if (entry.type === 'mail.received') {
      underway.delete(entry.envelope.id)
    } else if (entry.type === 'mail.died') {
      const envelope = underway.get(entry.mail_id ?? '')
      if (envelope) tell({ envelope, died: entry })
    }
  }
}

/** What the coordinator is told of it. */
export function deadResultText({ envelope, died }: DeadResult): string {
  const { from, to, kind, id } = envelope
  return `The ${kind} ${id} from ${from} to ${to} could not be delivered: ${died.reason}. Ask ${from} again if it is needed.`
}
