import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../fs/error-code.ts'
import type { Ring } from './doorbell.ts'
import { listing } from '../files/mail-folders.ts'
import { peekPriority } from '../files/read-mail.ts'

/** Files whose priority is looked up at one time; a backlog beyond that rings as normal mail. */
const peeked = 256

/** Knows which files of one `new/` were already announced. */
export interface FreshMail {
  /** A ring for what was not there before, or null. */
  look(): Ring | null
  /** The same for these names only, without listing the folder. */
  lookAt(files: Iterable<string>): Ring | null
  /** The same, but lists the folder only when its modification time speaks for it. */
  lookIfChanged(): Ring | null
  /** How many files the last listing found, and how many of those announced before lay there still. */
  last(): { readonly found: number; readonly left: number }
}

export function freshMail(folder: string, isUnread = (file: string) => existsSync(join(folder, file))): FreshMail {
  let known = new Set<string>()
  let modified = -1
  let justChanged = true
  let last = { found: 0, left: 0 }

  const list = listing(folder)
  const look = (): Ring | null => {
    const files = list()
    const fresh = files.filter((file) => !known.has(file))
    last = { found: fresh.length, left: files.length - fresh.length }
    known = new Set(files)
    return ringFor(folder, fresh)
  }
  const lookAt = (files: Iterable<string>): Ring | null => {
    const fresh: string[] = []
    for (const file of files) {
      // What is known has most likely been taken away: that needs no look.
      if (known.delete(file) || !isUnread(file)) continue
      known.add(file)
      fresh.push(file)
    }
    return ringFor(folder, fresh, { files: fresh })
  }
  return {
    look,
    lookAt,
    last: () => last,
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

/** A ring whose priority is looked up when somebody asks for it: who drains its box at once never does. */
function ringFor(folder: string, fresh: readonly string[], more: Pick<Ring, 'files'> = {}): Ring | null {
  if (fresh.length === 0) return null
  return {
    ...more,
    get priority() {
      return fresh.slice(0, peeked).some((file) => isUrgent(join(folder, file))) ? 'interrupt' : 'normal'
    },
  }
}

function modifiedAt(folder: string): number {
  return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? -1
}

/** The file may be claimed meanwhile: then whoever claimed it has read it. */
function isUrgent(path: string): boolean {
  try {
    return peekPriority(path) === 'interrupt'
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}
