import type { Envelope } from '../../../protocol/mail/envelope.ts'
import type { Fact } from '../../../protocol/facts/fact.ts'
import { hasFingerprint } from './fingerprints.ts'
import type { MailMemory } from './mail-memory.ts'

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
 * The log of a mailbox over the memory of its journal.
 * @param append records facts in the owner's journal, whose fold takes them into the memory before it returns
 * @param recall looks up in the journal what was sent under a key long ago
 * @example const log = mailLogOf((facts) => ledger.record(facts), state.mail, (key) => sentUnder(file, key))
 */
export function mailLogOf(
  append: (facts: readonly Fact[]) => void,
  memory: MailMemory,
  recall: (key: string) => Envelope | undefined = () => undefined,
): MailLog {
  const { keys, latest, ids, dead, highest, unhandled } = memory
  return {
    append,
    sent: (key) => latest.get(key) ?? (hasFingerprint(keys, key) ? recall(key) : undefined),
    lastSent: () => [...memory.group],
    lastSeq: () => memory.lastSeq,
    highWater: (sender) => highest.get(sender) ?? 0,
    received: (id) => hasFingerprint(ids, id),
    died: (file) => hasFingerprint(dead, file),
    unhandled: () => unhandled.values(),
    isUnhandled: (id) => unhandled.has(id),
  }
}
