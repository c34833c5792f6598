import type { Envelope } from '../../../protocol/mail/envelope.ts'
import type { Fact } from '../../../protocol/facts/fact.ts'
import type { MailLog } from '../files/mail-log.ts'
import type { MailReading, MailRefusal } from '../files/read-mail.ts'

/** The judgement of one claimed file. A repeat has no fact: the journal has it already. */
export interface JudgedMail {
  readonly file: string
  readonly into: 'done' | 'dead'
  readonly fact?: Fact
  readonly envelope?: Envelope
}

export interface ReadFile {
  readonly file: string
  readonly reading: MailReading
}

/**
 * Judges claimed files in their order. A mail that the journal already has is a repeat and dropped; one that is not
 * above its sender's highest number without being a repeat dies, loudly: its sender lost count.
 */
export function judgeBatch(
  files: readonly ReadFile[],
  log: Pick<MailLog, 'highWater' | 'received' | 'died'>,
): readonly JudgedMail[] {
  const ids = new Set<string>()
  const highest = new Map<string, number>()
  return files.map(({ file, reading }): JudgedMail => {
    if ('reason' in reading) return died(file, reading)
    const { envelope } = reading
    const { id, sender, seq } = envelope
    if (ids.has(id) || log.received(id)) return { file, into: 'done' }
    const highWater = Math.max(highest.get(sender) ?? 0, log.highWater(sender))
    // Mail that died and was put back by a person comes late, but is no repeat.
    if (seq <= highWater && !log.died(file)) {
      const reason = `its number ${seq} is not above ${highWater}, the last from ${sender}`
      return died(file, { reason, id, rejected: envelope })
    }
    ids.add(id)
    highest.set(sender, Math.max(seq, highWater))
    return { file, into: 'done', fact: { type: 'mail.received', envelope }, envelope }
  })
}

function died(file: string, { reason, id, rejected, attempts }: MailRefusal): JudgedMail {
  const known = rejected ? { kind: rejected.kind, from: rejected.from } : {}
  const fact: Fact = {
    type: 'mail.died',
    file,
    reason,
    ...(id === undefined ? {} : { mail_id: id }),
    ...known,
    ...(attempts === undefined ? {} : { attempts }),
  }
  return { file, into: 'dead', fact }
}
