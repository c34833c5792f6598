import type { Entry, EntryFold } from '../../../protocol/facts/entry.ts'
import type { Envelope } from '../../../protocol/mail/envelope.ts'
import { addFingerprint, noFingerprints, type Fingerprints } from './fingerprints.ts'

/** The mail that a journal tells of, as its mailbox has to know it: bodies only of the latest, and of what is open. */
export interface MailMemory {
  /** The keys of all sent mail. */
  readonly keys: Fingerprints
  /** The latest sent mail by key. */
  readonly latest: Map<string, Envelope>
  /** The mail of the last append, in order. */
  group: Envelope[]
  /** When that was; null once another fact followed. */
  groupAt: number | null
  /** The highest number of sent mail: what was put back into the journal stands behind later mail. */
  lastSeq: number
  /** The ids of all received mail. */
  readonly ids: Fingerprints
  /** The names of all files that were given up. */
  readonly dead: Fingerprints
  /** The highest number received, by sender. */
  readonly highest: Map<string, number>
  /** Received to be confirmed, and not confirmed yet, in order. */
  readonly unhandled: Map<string, Envelope>
}

/** Envelopes that stay in memory. A send that a crash cut off is repeated soon, so it is among them. */
const keptSent = 16

export function emptyMailMemory(): MailMemory {
  return {
    keys: noFingerprints(),
    latest: new Map(),
    group: [],
    groupAt: null,
    lastSeq: 0,
    ids: noFingerprints(),
    dead: noFingerprints(),
    highest: new Map(),
    unhandled: new Map(),
  }
}

/** The fold of a mailbox that keeps the latest sent mail; a journal on disk has the rest. */
export const mailFold: EntryFold<MailMemory> = {
  version: 'mail-1',
  empty: emptyMailMemory,
  apply: (memory, entry) => applyMail(memory, entry, keptSent),
}

/** The fold of a mailbox without a journal on disk: it keeps all sent mail. */
export const wholeMailFold: EntryFold<MailMemory> = {
  ...mailFold,
  apply: (memory, entry) => applyMail(memory, entry, Infinity),
}

function applyMail(memory: MailMemory, entry: Entry, kept: number): void {
  // Lines of one append have the same time and follow each other.
  const joins = memory.groupAt === entry.at
  memory.groupAt = null
  if (entry.type === 'mail.sent') {
    noteSent(memory, entry.envelope, kept)
    if (joins) memory.group.push(entry.envelope)
    else memory.group = [entry.envelope]
    memory.groupAt = entry.at
    memory.lastSeq = Math.max(memory.lastSeq, entry.envelope.seq)
  } else if (entry.type === 'mail.received') {
    const { id, sender, seq } = entry.envelope
    addFingerprint(memory.ids, id)
    if (entry.confirm) memory.unhandled.set(id, entry.envelope)
    memory.highest.set(sender, Math.max(seq, memory.highest.get(sender) ?? 0))
  } else if (entry.type === 'mail.died') {
    addFingerprint(memory.dead, entry.file)
  } else if (entry.type === 'mail.handled') {
    memory.unhandled.delete(entry.mail_id)
  }
}

function noteSent({ keys, latest }: MailMemory, envelope: Envelope, kept: number): void {
  addFingerprint(keys, envelope.key)
  latest.set(envelope.key, envelope)
  const [oldest] = latest.keys()
  if (latest.size > kept && oldest !== undefined) latest.delete(oldest)
}
