import { unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../fs/error-code.ts'
import { decodeTime } from './ulid-time.ts'
import { parseMailFile } from './mail-file.ts'
import { namesIn } from './mail-folders.ts'

/** How much of what was read is kept for people to look at. */
export interface Keep {
  readonly count: number
  readonly ms: number
}

export const defaultKeep: Keep = { count: 1_000, ms: 7 * 24 * 3_600_000 }

/** So many more pile up before the archive is looked at again. */
const slack = 256

/**
 * Keeps `done/` bounded: the newest `count` files, none older than `ms`. What the journal has is in the conversation for
 * good; the files are only its archive.
 * @returns to be called with the number of files that were added
 */
export function archive(folder: string, { count, ms }: Keep, now: () => number): (added: number) => void {
  let pile = slack
  return (added) => {
    pile += added
    if (added === 0 || pile < slack) return
    pile = 0
    const oldest = now() - ms
    const mail = namesIn(folder).flatMap((file) => parseMailFile(file) ?? [])
    const newestFirst = mail.toSorted((a, b) => (a.id < b.id ? 1 : -1))
    for (const [index, { file, id }] of newestFirst.entries()) {
      if (index >= count || decodeTime(id) < oldest) forget(join(folder, file))
    }
  }
}

/** Somebody may have been faster. */
function forget(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
