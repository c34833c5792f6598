import type { Entry } from '../../protocol/entry.ts'
import type { Envelope } from '../../protocol/envelope.ts'
import type { Fact } from '../../protocol/fact.ts'

/**
 * What a mailbox needs of its owner's journal: a place to record, and a memory of what was recorded.
 * Sending and receiving are remembered here and nowhere else; the folders only carry.
 */
export interface MailLog {
  /** Records facts before anything else happens. Throws when they could not be recorded. */
  append(facts: readonly Fact[]): void
  /** What was sent under this key. */
  sent(key: string): Envelope | undefined
  /** What was sent last: the only mail whose file may still be missing. */
  lastSent(): Envelope | undefined
  /** The owner's highest `seq` so far, 0 before its first mail. */
  lastSeq(): number
  /** The highest `seq` received from a sender, 0 when there was none. */
  highWater(sender: string): number
  /** Whether mail with this id was received. */
  received(id: string): boolean
  /** Whether a file of this name was given up. */
  died(file: string): boolean
}

/**
 * The mail log as a fold: over the entries the journal already had, then over everything appended through it.
 * @param append records facts in the owner's journal, before any effect
 * @param entries what the journal held when it was opened
 * @example const log = mailLogOf((facts) => ledger.record(facts), entries)
 */
export function mailLogOf(append: (facts: readonly Fact[]) => void, entries: Iterable<Entry>): MailLog {
  const byKey = new Map<string, Envelope>()
  const ids = new Set<string>()
  const dead = new Set<string>()
  const highest = new Map<string, number>()
  let last: Envelope | undefined
  const fold = (said: Entry | Fact): void => {
    if (said.type === 'mail.sent') {
      last = said.envelope
      byKey.set(last.key, last)
    } else if (said.type === 'mail.received') {
      const { id, sender, seq } = said.envelope
      ids.add(id)
      highest.set(sender, Math.max(seq, highest.get(sender) ?? 0))
    } else if (said.type === 'mail.died') {
      dead.add(said.file)
    }
  }
  for (const entry of entries) fold(entry)
  return {
    append(facts) {
      append(facts)
      for (const fact of facts) fold(fact)
    },
    sent: (key) => byKey.get(key),
    lastSent: () => last,
    lastSeq: () => last?.seq ?? 0,
    highWater: (sender) => highest.get(sender) ?? 0,
    received: (id) => ids.has(id),
    died: (file) => dead.has(file),
  }
}
