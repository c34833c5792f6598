import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'
import { isPersonOutbox } from '../../protocol/words/ids.ts'
import { getOrMake, hearing } from '../fold/fold.ts'

/** A file in a member's box. */
export interface BoxedMail {
  readonly id: string
  /** The mail was read; or waits, or was given up. */
  readonly folder: 'done' | 'other'
  /** Of a genuine mail that no journal has. */
  readonly envelope?: Envelope
}

/** Mail that one side of a run knows and the other lost, in the order in which it was sent. */
export interface LostMail {
  /** Mail whose sender's journal does not have it. */
  readonly unsent: readonly Envelope[]
  /** Mail that was read, or has no file any more, and that its recipient's journal does not have. */
  readonly unread: readonly Envelope[]
  /** Numbers that no journal and no box has, by sender. */
  readonly unknown: ReadonlyMap<string, readonly number[]>
}

/**
 * Compares what senders and recipients know of the mail of a run. A kill between two steps loses nothing: mail whose file
 * its sender had not written yet is no lost mail, since its sender writes it.
 */
export function lostMail(recorded: readonly Recorded[], boxes: readonly BoxedMail[]): LostMail {
  const { mail, sent, over, latest } = mailBook(recorded)
  const folders = new Map(boxes.map(({ id, folder }) => [id, folder]))
  for (const { id, envelope } of boxes) if (envelope && !mail.has(id)) mail.set(id, envelope)
  const all = [...mail.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return {
    unsent: all.filter(({ id, sender }) => !sent.has(id) && !isPersonOutbox(sender)),
    unread: all.filter(({ id, kind, sender, incarnation }) => {
      if (over.has(id) || kind === 'shutdown' || incarnation !== undefined) return false
      const folder = folders.get(id)
      return folder === undefined ? !latest.get(sender)?.ids.includes(id) : folder === 'done'
    }),
    unknown: missingNumbers(all),
  }
}

/** Mail as the journals know it. */
function mailBook(recorded: readonly Recorded[]) {
  const mail = new Map<string, Envelope>()
  const sent = new Set<string>()
  /** Received, given up or taken back. */
  const over = new Set<string>()
  /** The mail of each sender's last append. */
  const latest = new Map<string, { readonly at: number; readonly ids: string[] }>()
  const note = hearing({
    'mail.sent'({ envelope, at }) {
      const { id, sender } = envelope
      mail.set(id, envelope)
      sent.add(id)
      const group = latest.get(sender)
      if (group?.at === at) group.ids.push(id)
      else latest.set(sender, { at, ids: [id] })
    },
    'mail.received'({ envelope }) {
      if (!mail.has(envelope.id)) mail.set(envelope.id, envelope)
      over.add(envelope.id)
    },
    'mail.died': ({ mail_id = '' }) => void over.add(mail_id),
  })
  for (const each of recorded) note(each)
  return { mail, sent, over, latest }
}

/** A person numbers the mail of each outbox anew. */
function missingNumbers(all: readonly Envelope[]): LostMail['unknown'] {
  const seen = new Map<string, Set<number>>()
  for (const { sender, seq } of all) if (!isPersonOutbox(sender)) getOrMake(seen, sender, () => new Set()).add(seq)
  const missing = [...seen].map(([sender, numbers]): [string, readonly number[]] => {
    const upTo = Math.max(...numbers)
    return [sender, Array.from({ length: upTo }, (_, index) => index + 1).filter((seq) => !numbers.has(seq))]
  })
  return new Map(missing.filter(([, numbers]) => numbers.length > 0))
}
