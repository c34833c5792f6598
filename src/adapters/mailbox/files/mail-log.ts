import type { Entry } from '../../../protocol/facts/entry.ts'
import type { Envelope } from '../../../protocol/mail/envelope.ts'
import type { Fact } from '../../../protocol/facts/fact.ts'

/**
 * The owner's journal, as its mailbox uses it: it records, and remembers the records. Sent and received mail is
 * remembered here and nowhere else; the folders only carry.
 */
export interface MailLog {
  /**
   * Records facts before any effect.
   * @throws when they could not be recorded
   */
  append(facts: readonly Fact[]): void
  /** The mail that was sent under a key. */
  sent(key: string): Envelope | undefined
  /** The mail of the last append, in order: the only mail whose files may still be missing. */
  lastSent(): readonly Envelope[]
  /** The owner's highest `seq` so far, 0 before its first mail. */
  lastSeq(): number
  /** The highest `seq` received from a sender, 0 when there was none. */
  highWater(sender: string): number
  /** Whether mail with this id was received. */
  received(id: string): boolean
  /** Whether a file of this name was given up. */
  died(file: string): boolean
  /** Mail that was received to be confirmed, and was not yet, in order. */
  unhandled(): Iterable<Envelope>
  isUnhandled(id: string): boolean
}

/**
 * Folds a mail log from the entries of a journal, then from all facts that are appended through it.
 * @param append records facts in the owner's journal, before any effect
 * @param entries those of the journal when it was opened
 * @param recall reads the journal again, for a key of long ago; without it all sent mail stays in memory
 * @example const log = mailLogOf((facts) => ledger.record(facts), entries)
 */
export function mailLogOf(
  append: (facts: readonly Fact[]) => void,
  entries: Iterable<Entry>,
  recall?: () => Iterable<Entry>,
): MailLog {
  const received = receivedFold()
  const mail = sentMail(recall)
  let group: readonly Envelope[] = []
  let lastSeq = 0
  const noteSent = (envelope: Envelope, joins: boolean): void => {
    group = joins ? [...group, envelope] : [envelope]
    // Mail that was put back into the journal stands behind later mail.
    lastSeq = Math.max(lastSeq, envelope.seq)
    mail.add(envelope)
  }
  let before: Entry | undefined
  for (const entry of entries) {
    // Lines of one append have the same time and follow each other.
    if (entry.type === 'mail.sent') noteSent(entry.envelope, before?.type === 'mail.sent' && before.at === entry.at)
    else received.fold(entry)
    before = entry
  }
  return {
    append(facts) {
      append(facts)
      for (const fact of facts) {
        if (fact.type === 'mail.sent') noteSent(fact.envelope, fact !== facts[0])
        else received.fold(fact)
      }
    },
    sent: mail.find,
    lastSent: () => group,
    lastSeq: () => lastSeq,
    highWater: received.highWater,
    received: received.has,
    died: received.died,
    unhandled: received.unhandled,
    isUnhandled: received.isUnhandled,
  }
}

/** Envelopes that stay in memory. A send that a crash cut off is repeated soon, so it is among them. */
const keptSent = 64

/** Remembers sent mail by its keys: the latest whole; a key of older mail is looked up with `recall`, if there is one. */
function sentMail(recall?: () => Iterable<Entry>) {
  const keys = new Set<string>()
  const latest = new Map<string, Envelope>()
  return {
    add(envelope: Envelope): void {
      keys.add(envelope.key)
      latest.set(envelope.key, envelope)
      const [oldest] = latest.keys()
      if (recall && latest.size > keptSent && oldest !== undefined) latest.delete(oldest)
    },
    find(key: string): Envelope | undefined {
      if (!keys.has(key)) return undefined
      const kept = latest.get(key)
      if (kept) return kept
      for (const entry of recall?.() ?? [])
        if (entry.type === 'mail.sent' && entry.envelope.key === key) return entry.envelope
      return undefined
    },
  }
}

function receivedFold() {
  const ids = new Set<string>()
  const dead = new Set<string>()
  const highest = new Map<string, number>()
  const unhandled = new Map<string, Envelope>()
  return {
    fold(said: Entry | Fact): void {
      if (said.type === 'mail.received') {
        const { id, sender, seq } = said.envelope
        ids.add(id)
        if (said.confirm) unhandled.set(id, said.envelope)
        highest.set(sender, Math.max(seq, highest.get(sender) ?? 0))
      } else if (said.type === 'mail.died') {
        dead.add(said.file)
      } else if (said.type === 'mail.handled') {
        unhandled.delete(said.mail_id)
      }
    },
    highWater: (sender: string) => highest.get(sender) ?? 0,
    has: (id: string) => ids.has(id),
    died: (file: string) => dead.has(file),
    unhandled: () => unhandled.values(),
    isUnhandled: (id: string) => unhandled.has(id),
  }
}
