import type { Entry } from '../../../protocol/facts/entry.ts'
import type { Envelope } from '../../../protocol/mail/envelope.ts'

/** Reads the owner's journal again. */
export type Recall = () => Iterable<Entry>

/** Characters of sent mail that stay in memory. A send that a crash cut off is repeated soon, so it is among them. */
const keptChars = 16 * 1024 * 1024

/** Characters that an envelope takes besides its text, about. */
const frameChars = 512

/**
 * Remembers an owner's sent mail by its keys: the latest whole, of older mail the keys alone. A key of older mail is
 * looked up in the journal.
 * @param recall reads the journal; without it all mail is kept
 */
export function sentMail(recall?: Recall) {
  const latest = new Map<string, Envelope>()
  const older = new Set<string>()
  let chars = 0
  const shed = (): void => {
    for (const [key, envelope] of latest) {
      latest.delete(key)
      older.add(key)
      chars -= charsOf(envelope)
      if (chars <= keptChars) return
    }
  }
  const again = (key: string): Envelope | undefined => {
    for (const entry of recall?.() ?? [])
      if (entry.type === 'mail.sent' && entry.envelope.key === key) return entry.envelope
    return undefined
  }
  return {
    add(envelope: Envelope): void {
      latest.set(envelope.key, envelope)
      chars += charsOf(envelope)
      if (recall && chars > keptChars) shed()
    },
    find: (key: string): Envelope | undefined => latest.get(key) ?? (older.has(key) ? again(key) : undefined),
  }
}

function charsOf({ body }: Envelope): number {
  return body.length + frameChars
}
