import type { Envelope } from '../../../protocol/mail/envelope.ts'
import type { Fact } from '../../../protocol/facts/fact.ts'
import { errorCode } from '../../fs/error-code.ts'
import { namesIn } from '../../fs/names-in.ts'
import { listMail, move, parseMailFile, type MailFolders } from '../files/mail-files.ts'
import type { MailLog } from '../files/mail-log.ts'
import type { WatchSteps } from '../files/mail-step.ts'
import type { MailReading, MailRefusal } from '../files/read-mail.ts'
import { ownClaim, pruneArchive, recoverClaims, type Keep } from './claims.ts'

export interface InboxParts {
  readonly folders: MailFolders
  readonly log: MailLog
  /** Reads and checks one claimed file. */
  readonly read: (path: string, file: string) => MailReading
  readonly keep: Keep
  readonly now: () => number
  readonly step?: WatchSteps
}

/** Acked files between two looks at the size of the archive. */
const slack = 256

/** Tries after which a file is given up. */
export const maxAttempts = 5

/**
 * Owns the way in: mail in `new/` enters the owner's journal once, in order. Never hands a mail out twice.
 * 1. claimed (renamed into `cur/`) → read → journaled in one append → moved to `done/` or `dead/`.
 * 2. Only mail in the journal is acked; a failed append puts all of its mail back.
 * 3. An ack that fails loses nothing: the next call finishes it.
 * 4. A file that cannot be read holds back its sender's later mail and no other, and dies at the fifth try.
 */
export interface Inbox {
  receive(limit: number): readonly Envelope[]
}

export function openInbox(parts: InboxParts): Inbox {
  const { folders, log, step } = parts
  const recover = () => recoverClaims(folders, log, step)
  const { take, acknowledge } = openClaims(parts)
  // Listed mail beyond the last batch: a box of many thousands is not listed again for each batch.
  let backlog: readonly string[] = []
  let unfinished = false
  recover()
  return {
    receive(limit) {
      if (unfinished) unfinished = !succeeds(recover)
      for (;;) {
        const listed = backlog.length < limit
        const mail = listed ? listMail(() => namesIn(folders.new)) : backlog
        // A batch that fails is listed again.
        backlog = []
        if (mail.length === 0) return []
        const { judged, postponed } = take(mail.slice(0, limit))
        if (!postponed) backlog = mail.slice(limit)
        unfinished = !succeeds(() => acknowledge(judged)) || unfinished
        const envelopes = judged.flatMap(({ envelope }) => envelope ?? [])
        // A listing of which nothing could be claimed means another reader at this box: a second one would help nobody.
        if (envelopes.length > 0 || postponed || (judged.length === 0 && listed)) return envelopes
      }
    },
  }
}

/** Works on claimed mail in `cur/<pid>.<start>/`. */
function openClaims({ folders, log, read, keep, now, step }: InboxParts) {
  const claim = `${folders.cur}/${ownClaim()}`
  const deliver = deliveries((file) => read(`${claim}/${file}`, file))
  const prune = () => pruneArchive(folders.done, keep, now())
  let acked = 0
  succeeds(prune)
  const putBack = (files: readonly string[]): void => {
    for (const file of files) move(`${claim}/${file}`, `${folders.new}/${file}`)
  }
  return {
    /** Claims, reads and journals a batch; a failure puts all of it back into `new/`. */
    take(files: readonly string[]): { readonly judged: readonly JudgedMail[]; readonly postponed: boolean } {
      const claimed: string[] = []
      try {
        for (const file of files) {
          if (move(`${folders.new}/${file}`, `${claim}/${file}`)) claimed.push(file)
          step?.('claimed.one')
        }
        step?.('claimed.all')
        const { read: readable, postponed } = deliver(claimed)
        const judged = judgeBatch(readable, log)
        log.append(judged.flatMap(({ fact }) => fact ?? []))
        step?.('received.journaled')
        putBack(postponed)
        return { judged, postponed: postponed.length > 0 }
      } catch (error) {
        putBack(claimed)
        throw error
      }
    },
    acknowledge(judged: readonly JudgedMail[]): void {
      for (const { file, into } of judged) {
        move(`${claim}/${file}`, `${folders[into]}/${file}`)
        step?.('acked.one')
      }
      acked += judged.length
      if (acked < slack) return
      acked = 0
      prune()
    },
  }
}

/** Whether `act` went through; what the disk refuses is done later. */
function succeeds(act: () => void): boolean {
  try {
    act()
    return true
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}

interface ReadFile {
  readonly file: string
  readonly reading: MailReading
}

/**
 * Reads claimed files and counts the failures of each. A file that fails is postponed, with all later mail of its
 * sender; mail of other senders goes on. The last try gives the file up and names its error.
 * @param read reads one file; throws the disk's own errors
 * @returns reads a batch: the files that were read, and those that wait for the next look
 */
export function deliveries(read: (file: string) => MailReading) {
  const failures = new Map<string, number>()
  const attempt = (file: string): MailReading | null => {
    try {
      const reading = read(file)
      failures.delete(file)
      return reading
    } catch (error) {
      if (errorCode(error) === undefined || !(error instanceof Error)) throw error
      const attempts = (failures.get(file) ?? 0) + 1
      failures.set(file, attempts)
      if (attempts < maxAttempts) return null
      failures.delete(file)
      const id = parseMailFile(file)?.id
      const reason = `${attempts} deliveries failed, the last with: ${error.message}`
      return { reason, attempts, ...(id === undefined ? {} : { id }) }
    }
  }
  return (
    claimed: readonly string[],
  ): { readonly read: readonly ReadFile[]; readonly postponed: readonly string[] } => {
    const stuck = new Set<string>()
    const done: ReadFile[] = []
    const postponed: string[] = []
    for (const file of claimed) {
      const sender = parseMailFile(file)?.sender ?? file
      const reading = stuck.has(sender) ? null : attempt(file)
      if (reading) {
        done.push({ file, reading })
      } else {
        stuck.add(sender)
        postponed.push(file)
      }
    }
    return { read: done, postponed }
  }
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
