import type { Attachment } from '../../../protocol/conversation/message.ts'
import type { Envelope, Shown } from '../../../protocol/mail/envelope.ts'
import type { Fact, FactOf } from '../../../protocol/facts/fact.ts'
import { errorCode } from '../../fs/error-code.ts'
import { namesIn } from '../../fs/names-in.ts'
import { move, parseMailFile, type MailFolders } from '../files/mail-files.ts'
import type { MailLog } from '../files/mail-log.ts'
import type { WatchSteps } from '../files/mail-step.ts'
import type { MailReading, MailRefusal } from '../files/read-mail.ts'
import { isOfEntry, isUnnamable, ownClaim, succeeds } from './claims.ts'
import type { Retries } from './retries.ts'

export interface BatchParts {
  readonly folders: MailFolders
  readonly log: MailLog
  /** Reads and checks one claimed file. */
  readonly read: (path: string, file: string) => MailReading
  /** Whether the reader says of each mail when it is done with it. */
  readonly confirmed: boolean
  /** Throws once the box has a later owner: mail that is claimed after that would come to nobody in time. */
  readonly owns?: () => void
  readonly step?: WatchSteps
  /** How much of each mail its reader is shown, where that is not all of it; without it all mail is shown whole. */
  readonly fit?: ((mail: readonly Envelope[]) => readonly (Shown | null)[]) | undefined
  /** Attachments of a mail, by their name in it. */
  readonly attached?: ((sha256: string) => readonly Attachment[]) | undefined
}

/** A batch that is in the journal. */
export interface TakenBatch {
  readonly judged: readonly JudgedMail[]
  /** Some of it could not be claimed or read, or not be put back: what was listed holds no longer. */
  readonly isStuck: boolean
}

/**
 * Owns the way of a batch through `cur/<pid>.<start>/`: claimed, read, judged, journaled, put away. What cannot be claimed
 * or read now waits in `new/`.
 */
export function openBatches(
  { folders, log, read, confirmed, owns, step, fit, attached }: BatchParts,
  retries: Retries,
) {
  const claim = `${folders.cur}/${ownClaim()}`
  const { claimAll, putBack } = openClaims({ folders, log, claim, owns, step }, retries)
  return {
    /** Claims, reads and journals a batch; a failure puts all of it back into `new/`. */
    take(files: readonly string[]): TakenBatch {
      const { claimed, left, isStuck } = claimAll(files)
      try {
        step?.('claimed.all')
        const { readable, postponed } = readAll(claimed, (file) => read(`${claim}/${file}`, file), retries)
        step?.('claimed.read')
        const judged = opened(fitted(judgeBatch(readable, log, confirmed), fit), attached)
        log.append([...left, ...judged.flatMap(({ fact }) => fact ?? [])])
        step?.('received.journaled')
        return { judged, isStuck: !putBack(postponed) || postponed.length + left.length > 0 || isStuck }
      } catch (error) {
        putBack(claimed)
        throw error
      }
    },
    /** Returns whether every file could be moved. */
    acknowledge(judged: readonly JudgedMail[]): boolean {
      const moved = judged.map(({ file, into }) => {
        const isMoved = succeeds(() => move(`${claim}/${file}`, `${folders[into]}/${file}`))
        step?.('acked.one')
        return isMoved
      })
      return moved.every(Boolean)
    },
    /** Mail of this process's claims that the journal does not have: it could not be put back. */
    unsettled: () =>
      namesIn(claim).filter((file) => {
        const name = parseMailFile(file)
        return name !== null && !log.received(name.id) && !log.died(file)
      }),
  }
}

interface ClaimParts extends Pick<BatchParts, 'folders' | 'log'> {
  readonly claim: string
  readonly owns: BatchParts['owns'] | undefined
  readonly step: WatchSteps | undefined
}

/** Moves files into the claim and back again. */
function openClaims({ folders, log, claim, owns, step }: ClaimParts, retries: Retries) {
  const putBack = (files: readonly string[]): boolean =>
    files.map((file) => succeeds(() => move(`${claim}/${file}`, `${folders.new}/${file}`))).every(Boolean)
  /** Returns the death of a file that cannot be moved, or what became of the claim. */
  const claimOne = (file: string): 'claimed' | 'gone' | 'stuck' | FactOf<'mail.died'> => {
    try {
      if (move(`${folders.new}/${file}`, `${claim}/${file}`)) return 'claimed'
      if (!isUnnamable(file)) return 'gone'
      retries.leave(file)
      return { ...deathOf(file, { reason: 'its name is not UTF-8 and cannot be changed' }), left: true }
    } catch (error) {
      if (!isOfEntry(error, folders)) throw error
      const refusal = retries.failed(file, error)
      if (!refusal && !log.died(file)) return 'stuck'
      retries.leave(file)
      return refusal && !log.died(file) ? { ...deathOf(file, refusal), left: true } : 'gone'
    }
  }
  return {
    putBack,
    claimAll(files: readonly string[]) {
      const [claimed, left, stuck] = [[] as string[], [] as Fact[], new Set<string>()]
      try {
        for (const file of files) {
          if (stuck.has(senderOf(file))) continue
          owns?.()
          const outcome = claimOne(file)
          if (outcome === 'claimed') claimed.push(file)
          else if (outcome === 'stuck') stuck.add(senderOf(file))
          else if (outcome !== 'gone') left.push(outcome)
          step?.('claimed.one')
        }
        return { claimed, left, isStuck: stuck.size > 0 }
      } catch (error) {
        putBack(claimed)
        throw error
      }
    },
  }
}

/** The writer of a mail, by the name of its file. */
export function senderOf(file: string): string {
  return parseMailFile(file)?.sender ?? file
}

interface ReadFile {
  readonly file: string
  readonly reading: MailReading
}

/** Reads claimed files. One that fails is postponed, with all later mail of its sender. */
export function readAll(claimed: readonly string[], read: (file: string) => MailReading, retries: Retries) {
  const stuck = new Set<string>()
  const readable: ReadFile[] = []
  const postponed: string[] = []
  const attempt = (file: string): MailReading | null => {
    try {
      const reading = read(file)
      retries.succeeded(file)
      return reading
    } catch (error) {
      if (errorCode(error) === undefined || !(error instanceof Error)) throw error
      return retries.failed(file, error)
    }
  }
  for (const file of claimed) {
    const reading = stuck.has(senderOf(file)) ? null : attempt(file)
    if (reading) {
      readable.push({ file, reading })
    } else {
      stuck.add(senderOf(file))
      postponed.push(file)
    }
  }
  return { readable, postponed }
}

/** The judgement of one claimed file. A repeat has no fact: the journal has it already. */
interface JudgedMail {
  readonly file: string
  readonly into: 'done' | 'dead'
  readonly fact?: Fact
  readonly envelope?: Envelope
}

/**
 * Judges claimed files in their order. A mail that the journal already has is a repeat and dropped; one that is not
 * above its sender's highest number without being a repeat dies, loudly: its sender lost count.
 */
export function judgeBatch(
  files: readonly ReadFile[],
  log: Pick<MailLog, 'highWater' | 'received' | 'died'>,
  confirmed: boolean,
): readonly JudgedMail[] {
  const ids = new Set<string>()
  const highest = new Map<string, number>()
  return files.map(({ file, reading }): JudgedMail => {
    if ('reason' in reading) return { file, into: 'dead', fact: deathOf(file, reading) }
    const { envelope } = reading
    const { id, sender, seq } = envelope
    if (ids.has(id) || log.received(id)) return { file, into: 'done' }
    const highWater = Math.max(highest.get(sender) ?? 0, log.highWater(sender))
    // Mail that died and was put back by a person comes late, but is no repeat.
    if (seq <= highWater && !log.died(file)) {
      const reason = `its number ${seq} is not above ${highWater}, the last from ${sender}`
      return { file, into: 'dead', fact: deathOf(file, { reason, id, rejected: envelope }) }
    }
    ids.add(id)
    highest.set(sender, Math.max(seq, highWater))
    return {
      file,
      into: 'done',
      fact: { type: 'mail.received', envelope, ...(confirmed && { confirm: true }) },
      envelope,
    }
  })
}

function fitted(judged: readonly JudgedMail[], fit: BatchParts['fit']): readonly JudgedMail[] {
  const shown = fit?.(judged.flatMap(({ envelope }) => envelope ?? [])).values()
  if (!shown) return judged
  return judged.map((mail): JudgedMail => {
    const part = mail.envelope && shown.next().value
    return part && mail.fact?.type === 'mail.received' ? { ...mail, fact: { ...mail.fact, shown: part } } : mail
  })
}

/** With what came along in the fact: a conversation is made of facts alone. */
function opened(judged: readonly JudgedMail[], attached: BatchParts['attached']): readonly JudgedMail[] {
  return judged.map((mail): JudgedMail => {
    const sha256 = mail.envelope?.attachments
    if (sha256 === undefined || !attached || mail.fact?.type !== 'mail.received') return mail
    return { ...mail, fact: { ...mail.fact, attached: [...attached(sha256)] } }
  })
}

function deathOf(file: string, { reason, id, rejected, attempts }: MailRefusal): FactOf<'mail.died'> {
  const known = rejected ? { kind: rejected.kind, from: rejected.from } : {}
  return {
    type: 'mail.died',
    file,
    reason,
    ...(id === undefined ? {} : { mail_id: id }),
    ...known,
    ...(attempts === undefined ? {} : { attempts }),
  }
}
