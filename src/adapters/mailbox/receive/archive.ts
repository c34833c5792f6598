import { unlinkSync } from 'node:fs'
import { decodeTime } from 'ulid'
import { errorCode } from '../../fs/error-code.ts'
import { namesIn } from '../../fs/names-in.ts'
import { parseMailFile } from '../files/mail-file.ts'
import { move } from '../files/mail-folders.ts'

/** The part of the read mail that stays for people to look at. */
export interface Keep {
  readonly count: number
  readonly ms: number
}

export const defaultKeep: Keep = { count: 1_000, ms: 7 * 24 * 3_600_000 }

/** Files that may come beyond the bound before the archive is listed again. */
const slack = 256

/**
 * Keeps `done/` bounded: the `count` newest files, none older than `ms`. Acked mail is in the journal for good; its files
 * are an archive.
 */
export interface Archive {
  /** Takes an acked file out of its claim. */
  add(path: string, file: string): void
  /** Removes files beyond the bound, once so many came that listing is worth it. */
  prune(): void
}

export function openArchive(folder: string, { count, ms }: Keep, now: () => number): Archive {
  let added = slack
  return {
    add(path, file) {
      move(path, `${folder}/${file}`)
      added += 1
    },
    prune() {
      if (added < slack) return
      added = 0
      const oldest = now() - ms
      const newestFirst = namesIn(folder)
        .flatMap((file) => parseMailFile(file) ?? [])
        .toSorted((a, b) => (a.id > b.id ? -1 : 1))
      for (const [index, { file, id }] of newestFirst.entries()) {
        if (index >= count || decodeTime(id) < oldest) remove(`${folder}/${file}`)
      }
    },
  }
}

/** Removes a file unless another process was faster. */
function remove(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
