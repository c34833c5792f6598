import { join } from 'node:path'
import type { Envelope } from '../../../protocol/mail/envelope.ts'
import { errorCode } from '../../fs/error-code.ts'
import { openArchive, type Keep } from './archive.ts'
import { ownClaim, recoverClaims } from './claims.ts'
import { deliveries, type Delivery } from './deliveries.ts'
import { judgeBatch, type JudgedMail } from './judge-batch.ts'
import { makeFolder } from '../files/durable.ts'
import { listing, move, type MailFolders } from '../files/mail-folders.ts'
import type { MailLog } from '../files/mail-log.ts'
import { unwatched, type WatchSteps } from '../files/mail-step.ts'
import { nextMail } from './next-mail.ts'
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
 * Owns the way in: what lies in `new/` enters the owner's journal once, in order.
 * 1. claimed (renamed into `cur/`) → read → journaled in one append → moved to `done/` or `dead/`.
 * 2. Nothing is acked that the journal does not have; a failed append puts everything back.
 * 3. An ack that fails loses nothing: the next call finishes it. It never hands a mail out twice.
 * 4. A file that the disk will not give holds back its sender's later mail and nobody else's, and dies at the fifth try.
 */
export interface Inbox {
  receive(limit: number): readonly Envelope[]
  /** Something came: these files, or it is not known which. A hint that spares `receive` a look. */
  tell(files?: readonly string[]): void
}

export function openInbox(parts: InboxParts): Inbox {
  const { folders, log, step = unwatched } = parts
  const recover = () => recoverClaims(folders, log, step)
  const claims = openClaims(parts)
  const next = nextMail(listing(folders.new), log.highWater)
  let unfinished = false
  let hasDesk = false
  recover()
  return {
    tell: next.tell,
    receive(limit) {
      if (unfinished) {
        unfinished = !succeeds(recover)
        claims.recount()
        next.tell()
      }
      for (;;) {
        const { files, listed } = next.batch(limit)
        if (files.length === 0) return []
        if (!hasDesk) makeFolder(join(folders.cur, ownClaim()))
        hasDesk = true
        const { judged, postponed } = claims.take(files)
        if (!postponed) next.took()
        unfinished = !succeeds(() => claims.acknowledge(judged)) || unfinished
        const envelopes = judged.flatMap(({ envelope }) => envelope ?? [])
        // Nothing was there to be claimed: somebody else is at this box, and looking again at once would help nobody.
        if (envelopes.length > 0 || postponed || (judged.length === 0 && listed)) return envelopes
      }
    },
  }
}

/** Where claimed mail is worked on: `cur/<pid>.<start>/`. */
function openClaims({ folders, log, read, keep, now, step = unwatched }: InboxParts) {
  const claim = join(folders.cur, ownClaim())
  const deliver = deliveries((file) => read(`${claim}/${file}`, file))
  const done = openArchive(folders.done, keep, now)
  const putBack = (files: readonly string[]): void => {
    for (const file of files) move(`${claim}/${file}`, `${folders.new}/${file}`)
  }
  const claimed: string[] = []
  return {
    /** Claims, reads and journals; when that fails, everything lies in `new/` again. */
    take(files: readonly string[]): { readonly judged: readonly JudgedMail[]; readonly postponed: boolean } {
      claimed.length = 0
      try {
        for (const file of files) {
          if (move(`${folders.new}/${file}`, `${claim}/${file}`)) claimed.push(file)
          step('claimed.one')
        }
        step('claimed.all')
        const delivery: Delivery = deliver(claimed)
        const judged = judgeBatch(delivery.read, log)
        log.append(judged.flatMap(({ fact }) => fact ?? []))
        step('received.journaled')
        putBack(delivery.postponed)
        return { judged, postponed: delivery.postponed.length > 0 }
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
    recount: done.recount,
  }
}

/** Runs something that the disk may refuse and that can be done later. */
function succeeds(act: () => void): boolean {
  try {
    act()
    return true
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}
