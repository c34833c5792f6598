import { unlinkSync } from 'node:fs'
import { errorCode } from '../../fs/error-code.ts'
import { decodeTime } from '../files/ulid-time.ts'
import { parseMailFile } from '../files/mail-file.ts'
import { move, mailNamesIn } from '../files/mail-folders.ts'

/** How much of what was read is kept for people to look at. */
export interface Keep {
  readonly count: number
  readonly ms: number
}

export const defaultKeep: Keep = { count: 1_000, ms: 7 * 24 * 3_600_000 }

/** So many more pile up before the archive is looked at again. */
const slack = 256

/**
 * What comes faster would push all of it out before anybody could look, and a place in it costs as much as the claim. An
 * archive that keeps more takes more.
 */
const mostInASecond = 1_000

/**
 * Keeps `done/` bounded: the `count` files that came last, none older than `ms`; of a rush only the first in each second.
 * What the journal has is in the conversation for good; the files are only its archive.
 */
export interface Archive {
  /** Takes a file that was acked out of its claim. */
  add(path: string, file: string): void
  /** Drops what is too much, now and then. */
  prune(): void
  /** More may have come into the folder than was said. */
  recount(): void
}

/** One that lists its folder once: whoever owns the box is the only one who adds to it. */
export function openArchive(folder: string, { count, ms }: Keep, now: () => number): Archive {
  let held: string[] | null = null
  let pile = slack
  const hasRoom = boundedRate(Math.max(count, mostInASecond), now)
  return {
    add(path, file) {
      if (hasRoom()) {
        move(path, `${folder}/${file}`)
        held?.push(file)
        pile += 1
      } else {
        forget(path)
      }
    },
    prune() {
      if (pile < slack) return
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

/** Asked once for each file; a clock that is set back begins another second. */
function boundedRate(most: number, now: () => number): () => boolean {
  let [second, came] = [0, 0]
  return () => {
    const current = Math.floor(now() / 1000)
    if (current !== second) [second, came] = [current, 0]
    came += 1
    return came <= most
  }
}

function oldestFirst(folder: string): string[] {
  const mail = mailNamesIn(folder).flatMap((file) => parseMailFile(file) ?? [])
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
