import { type Dirent, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Disk, DiskEntry } from '../../rules/disk/disk.ts'
import { scriptHash, shortText } from './content-hash.ts'
import { errorCode } from './error-code.ts'
import { gitHistory } from './git-history.ts'
import { gitLinks } from './git/git-links.ts'

const maxLinks = 40

/**
 * Says where an absolute path really leads: symlinks of its longest existing prefix are resolved, the rest is kept.
 * A link that points to nothing yet is followed too, since writing through it would create its target.
 *
 * @throws When links form a circle or a directory may not be searched: the caller then cannot know, and must refuse.
 * @example resolveReal('/project/link/new.txt') // '/elsewhere/new.txt' when /project/link points to /elsewhere
 */
export const resolveReal: Disk = Object.assign((path: string): string => follow(resolve(path)), {
  entries,
  history: gitHistory,
  gitLinks,
  hash: scriptHash,
  text: shortText,
})

/** The entries of a directory; null when it cannot be listed. */
export function entries(directory: string): readonly DiskEntry[] | null {
  try {
    return readdirSync(directory, { withFileTypes: true }).map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
  } catch {
    return null
  }
}

function kindOf(entry: Dirent): DiskEntry['kind'] {
  if (entry.isSymbolicLink()) return 'link'
  return entry.isDirectory() ? 'directory' : 'file'
}

/** As the kernel goes: `..` behind a link leaves the directory that the link leads to, not the one in which the link lies. */
function follow(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (!isAbsence(error)) throw error
  }
  return followDown(path)
}

/** From the root down, so that a long path that is not there is looked at once. */
function followDown(path: string): string {
  const left = namesOf(path)
  let [at, links] = ['/', 0]
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    const here = join(at, name)
    const kind = name === '..' ? 'other' : kindAt(here)
    if (kind === null) return join(here, ...left)
    if (kind === 'link') {
      links += 1
      if (links > maxLinks) throw new Error(`too many symbolic links: ${path}`)
      const target = readlinkSync(here)
      if (target.startsWith('/')) at = '/'
      left.unshift(...namesOf(target))
    } else at = here
  }
  return at
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.')
}

function kindAt(path: string): 'link' | 'other' | null {
  try {
    return lstatSync(path).isSymbolicLink() ? 'link' : 'other'
  } catch (error) {
    if (isAbsence(error)) return null
    throw error
  }
}

/** ENOTDIR counts as absence: below a file there is nothing. A text that is too long for a name names nothing. */
function isAbsence(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG'
}
