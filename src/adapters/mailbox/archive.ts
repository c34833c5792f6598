import { unlinkSync } from 'node:fs'
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
 * Keeps `done/` bounded: the `count` files that came last, none older than `ms`. What the journal has is in the
 * conversation for good; the files are only its archive.
 */
export interface Archive {
  /** These were moved into the folder. */
  added(files: readonly string[]): void
  /** More may have come into the folder than was said. */
  recount(): void
}

/** One that lists its folder once: whoever owns the box is the only one who adds to it. */
export function openArchive(folder: string, { count, ms }: Keep, now: () => number): Archive {
  let held: string[] | null = null
  let pile = slack
  return {
    added(files) {
      if (held) held.push(...files)
      pile += files.length
      if (files.length === 0 || pile < slack) return
      pile = 0
      held ??= oldestFirst(folder)
      const oldest = now() - ms
      let end = Math.max(0, held.length - count)
      while (end < held.length && mintedAt(held[end]) < oldest) end += 1
      for (const file of held.splice(0, end)) forget(`${folder}/${file}`)
    },
    recount() {
      held = null
    },
  }
}

function oldestFirst(folder: string): string[] {
  const mail = namesIn(folder).flatMap((file) => parseMailFile(file) ?? [])
  return mail.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ file }) => file)
}

function mintedAt(file = ''): number {
  return decodeTime(parseMailFile(file)?.id ?? '')
}

/** Somebody may have been faster. */
function forget(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
