import { inSequence, listMail } from './list-mail.ts'
import type { MailLog } from '../files/mail-log.ts'

/** So many names are kept while nobody takes them; more are listed sooner than remembered. */
const most = 64

/** Names of files to claim, in the order of delivery. */
export interface Batch {
  readonly files: readonly string[]
  /** Whether the folder was listed for them; else it may hold more. */
  readonly listed: boolean
}

/**
 * Knows which files of a box are to be claimed next.
 * 1. Files are claimed by the names that were told only where the box was emptied, all that came since was told by name,
 *    and the numbers of each sender go on from its last one.
 * 2. Else, and when nothing was told, the folder is listed: that finds what nobody told of.
 * 3. It never believes that a file is there, or what it is: a name that was told goes the way of one that was listed.
 */
export interface NextMail {
  /** Something came: these files, or it is not known which. */
  tell(files?: readonly string[]): void
  /** At most so many; none when the folder is empty. */
  batch(limit: number): Batch
  /** All of the last batch was taken: without that, what follows is looked for anew. */
  took(): void
}

/** @param list lists `new/` */
export function nextMail(list: () => readonly string[], highWater: MailLog['highWater']): NextMail {
  let queue: readonly string[] = []
  let rest: readonly string[] = []
  /** What came since the box was empty; null when that is not known. */
  let told: readonly string[] | null = null
  return {
    tell(files) {
      told = told && files && told.length < most ? [...told, ...files] : null
    },
    batch(limit) {
      const named = queue.length < limit && told?.length ? inSequence(told, highWater) : null
      if (queue.length < limit) queue = named ?? listMail(list, highWater)
      const files = queue.slice(0, limit)
      rest = queue.slice(limit)
      queue = []
      told = files.length === 0 ? [] : null
      return { files, listed: named === null }
    },
    took() {
      queue = rest
      told = rest.length === 0 ? [] : null
    },
  }
}
