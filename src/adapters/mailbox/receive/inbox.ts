import { join } from 'node:path'
import type { Envelope } from '../../../protocol/mail/envelope.ts'
import { errorCode } from '../../fs/error-code.ts'
import { namesIn } from '../../fs/names-in.ts'
import { openArchive, type Keep } from './archive.ts'
import { ownClaim, recoverClaims } from './claims.ts'
import { deliveries } from './deliveries.ts'
import { judgeBatch, type JudgedMail } from './judge-batch.ts'
import { move, type MailFolders } from '../files/mail-folders.ts'
import type { MailLog } from '../files/mail-log.ts'
import { unwatched, type WatchSteps } from '../files/mail-step.ts'
import { listMail } from './list-mail.ts'
import type { MailReading } from '../files/read-mail.ts'

export interface InboxParts {
  readonly folders: MailFolders
  readonly log: MailLog
  /** Reads and checks one claimed file. */
  readonly read: (path: string, file: string) => MailReading
  readonly keep: Keep
  readonly now: () => number
  readonly step?: WatchSteps
}

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
  const { folders, log, step = unwatched } = parts
  const recover = () => recoverClaims(folders, log, step)
  const claims = openClaims(parts)
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
        const { judged, postponed } = claims.take(mail.slice(0, limit))
        if (!postponed) backlog = mail.slice(limit)
        unfinished = !succeeds(() => claims.acknowledge(judged)) || unfinished
        const envelopes = judged.flatMap(({ envelope }) => envelope ?? [])
        // A listing of which nothing could be claimed means another reader at this box: a second one would help nobody.
        if (envelopes.length > 0 || postponed || (judged.length === 0 && listed)) return envelopes
      }
    },
  }
}

/** Works on claimed mail in `cur/<pid>.<start>/`. */
function openClaims({ folders, log, read, keep, now, step = unwatched }: InboxParts) {
  const claim = join(folders.cur, ownClaim())
  const deliver = deliveries((file) => read(`${claim}/${file}`, file))
  const done = openArchive(folders.done, keep, now)
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
          step('claimed.one')
        }
        step('claimed.all')
        const { read: readable, postponed } = deliver(claimed)
        const judged = judgeBatch(readable, log)
        log.append(judged.flatMap(({ fact }) => fact ?? []))
        step('received.journaled')
        putBack(postponed)
        return { judged, postponed: postponed.length > 0 }
      } catch (error) {
        putBack(claimed)
        throw error
      }
    },
    acknowledge(judged: readonly JudgedMail[]): void {
      for (const { file, into } of judged) {
        const claimed = `${claim}/${file}`
        if (into === 'done') done.add(claimed, file)
        else move(claimed, `${folders.dead}/${file}`)
        step('acked.one')
      }
      done.prune()
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
