import type { Envelope } from '../../../protocol/mail/envelope.ts'
import { errorCode } from '../../fs/error-code.ts'
import { namesIn } from '../../fs/names-in.ts'
import { listMail } from '../files/mail-files.ts'
import type { MailLog } from '../files/mail-log.ts'
import { openBatches, senderOf, type BatchParts } from './batch.ts'
import {
  claimsElsewhere,
  isUnnamable,
  nameUnnamable,
  openArchive,
  recoverClaims,
  succeeds,
  type Keep,
} from './claims.ts'
import { openRetries, type Retries } from './retries.ts'

export interface InboxParts extends BatchParts {
  readonly keep: Keep
  readonly now: () => number
}

/** Files without a good one among them that one call goes through. */
const mostInVain = 2_048

/** Milliseconds after which a folder that could not be listed is looked at again. */
const troubledMs = 1_000

/**
 * Owns the way in: mail in `new/` enters the owner's journal once, in order. Never hands a mail out twice.
 * 1. claimed (renamed into `cur/`) → read → journaled in one append → moved to `done/` or `dead/`.
 * 2. Only mail in the journal is acked; a failed append puts all of its mail back.
 * 3. An ack that fails loses nothing: the next call finishes it.
 * 4. A file that cannot be claimed or read holds back its sender's later mail and no other, and is given up at the fifth
 *    try. One that cannot be moved either stays where it is, and nobody waits for it.
 * 5. What cannot be taken now is not counted as unread: whoever is woken by mail finds some.
 */
export interface Inbox {
  /** @param writers whose mail alone is taken */
  receive(limit: number, writers?: readonly string[]): readonly Envelope[]
  /** The number of files that a call of `receive` would take now. */
  unread(): number
  /** Milliseconds after which something can be taken that cannot be now; null when nothing waits. */
  nextIn(): number | null
}

export function openInbox(parts: InboxParts): Inbox {
  const { folders, log, keep, now, step } = parts
  const warn = openWarnings(log)
  const retries = openRetries(now)
  const recover = () => recoverClaims(folders, log, step)
  const { take, acknowledge, unsettled } = openBatches(parts, retries)
  const acked = openArchive(folders.done, keep, now)
  const { look, isTroubled } = openLook(folders.new, retries, warn)
  // Listed mail beyond the last batch: a box of many thousands is not listed again for each batch.
  let backlog: readonly string[] = []
  let isUnfinished = !recover()
  let isCut = false
  return {
    receive(limit, writers) {
      if (isUnfinished) isUnfinished = !recover()
      isCut = false
      for (let looked = 0; looked < mostInVain; looked += limit) {
        const isListed = backlog.length < limit || writers !== undefined
        const mail = isListed ? listMail(writers ? () => ofWriters(look(), writers) : look) : backlog
        // A batch that fails is listed again.
        backlog = []
        if (mail.length === 0) return []
        const { judged, isStuck } = take(mail.slice(0, limit))
        if (!isStuck && !writers) backlog = mail.slice(limit)
        isUnfinished = !acknowledge(judged) || isStuck || isUnfinished
        acked(judged.length)
        const envelopes = judged.flatMap(({ envelope }) => envelope ?? [])
        // A listing of which nothing could be claimed means another reader at this box: a second one would help nobody.
        if (envelopes.length > 0 || (judged.length === 0 && !isStuck && isListed)) return envelopes
      }
      isCut = true
      return []
    },
    unread() {
      for (const claim of claimsElsewhere(folders)) warn('mail_elsewhere', elsewhereText(claim))
      return look().length + unsettled().length
    },
    nextIn() {
      if (isCut) return 0
      return isTroubled() ? troubledMs : retries.nextIn()
    },
  }
}

function ofWriters(files: readonly string[], writers: readonly string[]): readonly string[] {
  return files.filter((file) => writers.includes(senderOf(file)))
}

function elsewhereText(claim: string): string {
  return `mail in ${claim} is claimed by another living process: nobody else takes it`
}

/** Raises each warning once, where the journal takes it. */
function openWarnings({ append }: MailLog) {
  const raised = new Set<string>()
  return (code: string, message: string): void => {
    if (raised.has(message)) return
    raised.add(message)
    succeeds(() => append([{ type: 'warning.raised', code, message }]))
  }
}

/** Lists the files in `new/` that can be taken now. A folder that cannot be listed is a warning, and looked at later. */
function openLook(folder: string, { waits }: Retries, warn: ReturnType<typeof openWarnings>) {
  let isTroubled = false
  return {
    isTroubled: () => isTroubled,
    look(): readonly string[] {
      try {
        const names = namesIn(folder)
        isTroubled = false
        if (!names.some(isUnnamable)) return names.filter((file) => !waits(file))
        nameUnnamable(folder)
        return namesIn(folder).filter((file) => !waits(file))
      } catch (error) {
        const code = errorCode(error)
        if (code === undefined) throw error
        isTroubled = true
        warn('mail_unlisted', `${folder} cannot be listed (${code}): it is looked at again`)
        return []
      }
    },
  }
}
