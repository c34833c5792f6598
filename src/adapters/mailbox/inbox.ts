import { join } from 'node:path'
import type { Envelope } from '../../protocol/envelope.ts'
import { errorCode } from '../fs/error-code.ts'
import { ownClaim, recoverClaims } from './claims.ts'
import { judgeBatch, type Judged } from './judge-batch.ts'
import { listMail } from './list-mail.ts'
import { move, namesIn, type MailFolders } from './mail-folders.ts'
import type { MailLog } from './mail-log.ts'
import { unwatched, type WatchSteps } from './mail-step.ts'
import { readMail, type Recipient } from './read-mail.ts'

export interface InboxParts {
  readonly folders: MailFolders
  readonly recipient: Recipient
  readonly log: MailLog
  readonly step?: WatchSteps
}

/**
 * Owns the way in: what lies in `new/` enters the owner's journal once, in order.
 * 1. claimed (renamed into `cur/`) → read → journaled in one append → moved to `done/` or `dead/`.
 * 2. Nothing is acked that the journal does not have; a failed append puts everything back.
 * 3. An ack that fails loses nothing: the next call finishes it. It never hands a mail out twice.
 */
export interface Inbox {
  receive(limit: number): readonly Envelope[]
}

export function openInbox(parts: InboxParts): Inbox {
  const { folders, log, step = unwatched } = parts
  const recover = () => recoverClaims(folders, log, step)
  let queue: readonly string[] = []
  let unfinished = false
  recover()
  return {
    receive(limit) {
      if (unfinished) unfinished = !succeeds(recover)
      for (;;) {
        if (queue.length < limit) queue = listMail(() => namesIn(folders.new))
        if (queue.length === 0) return []
        const [batch, rest] = [queue.slice(0, limit), queue.slice(limit)]
        queue = []
        const judged = take(parts, batch)
        queue = rest
        unfinished = !succeeds(() => acknowledge(folders, judged, step)) || unfinished
        const envelopes = judged.flatMap(({ envelope }) => envelope ?? [])
        if (envelopes.length > 0) return envelopes
      }
    },
  }
}

/** Claims, reads and journals; when that fails, everything lies in `new/` again. */
function take({ folders, recipient, log, step = unwatched }: InboxParts, files: readonly string[]): readonly Judged[] {
  const claim = join(folders.cur, ownClaim())
  const claimed = files.filter((file) => {
    const moved = move(join(folders.new, file), join(claim, file))
    step('claimed.one')
    return moved
  })
  step('claimed.all')
  try {
    const read = claimed.map((file) => ({ file, reading: readMail(join(claim, file), file, recipient) }))
    const judged = judgeBatch(read, log)
    log.append(judged.flatMap(({ fact }) => fact ?? []))
    step('received.journaled')
    return judged
  } catch (error) {
    for (const file of claimed) move(join(claim, file), join(folders.new, file))
    throw error
  }
}

function acknowledge(folders: MailFolders, judged: readonly Judged[], step: WatchSteps): void {
  const claim = join(folders.cur, ownClaim())
  for (const { file, into } of judged) {
    move(join(claim, file), join(folders[into], file))
    step('acked.one')
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
