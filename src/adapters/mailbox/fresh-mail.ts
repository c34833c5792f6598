import { statSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../fs/error-code.ts'
import type { Ring } from './doorbell.ts'
import { namesIn } from './mail-folders.ts'
import { peekPriority } from './read-mail.ts'

/** Files whose priority is looked up at one time; a backlog beyond that rings as normal mail. */
const peeked = 256

/** Knows which files of one `new/` were already announced. */
export interface FreshMail {
  /** A ring for what was not there before, or null. */
  look(): Ring | null
  /** The same, but lists the folder only when its modification time speaks for it. */
  lookIfChanged(): Ring | null
}

export function freshMail(folder: string): FreshMail {
  let known: ReadonlySet<string> = new Set()
  let modified = -1
  let justChanged = true

  const look = (): Ring | null => {
    const files = namesIn(folder)
    const fresh = files.filter((file) => !known.has(file))
    known = new Set(files)
    if (fresh.length === 0) return null
    const hurried = fresh.slice(0, peeked).some((file) => priorityOf(join(folder, file)) === 'interrupt')
    return { priority: hurried ? 'interrupt' : 'normal' }
  }
  return {
    look,
    lookIfChanged() {
      const now = modifiedAt(folder)
      // A file that came within the same clock tick as the last look did not move the time: look once more.
      const suspicious = now !== modified || justChanged
      justChanged = now !== modified
      modified = now
      return suspicious ? look() : null
    },
  }
}

function modifiedAt(folder: string): number {
  return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? -1
}

/** The file may be claimed while it is looked at. */
function priorityOf(path: string): Ring['priority'] {
  try {
    return peekPriority(path)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return 'normal'
  }
}
