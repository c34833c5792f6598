import { type Dirent, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Disk, DiskEntry } from '../../rules/permissions/disk.ts'
import { scriptHash } from './content-hash.ts'
import { errorCode } from './error-code.ts'
import { gitHistory } from './git-history.ts'

const maxLinks = 40

/**
 * Says where an absolute path really leads: symlinks of its longest existing prefix are resolved, the rest is kept.
 * A link that points to nothing yet is followed too, since writing through it would create its target.
 *
 * @throws When links form a circle or a directory may not be searched: the caller then cannot know, and must refuse.
 * @example resolveReal('/project/link/new.txt') // '/elsewhere/new.txt' when /project/link points to /elsewhere
 */
export const resolveReal: Disk = Object.assign((path: string): string => follow(resolve(path), 0), {
  entries,
  history: gitHistory,
  hash: scriptHash,
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

function follow(path: string, links: number): string {
  if (links > maxLinks) throw new Error(`too many symbolic links: ${path}`)
  try {
    return realpathSync(path)
  } catch (error) {
    if (!isAbsence(error)) throw error
  }
  return followDown(path, links)
}

/** From the root down, so that a long path that is not there is looked at once. */
function followDown(path: string, links: number): string {
  const names = path.split('/').filter((name) => name !== '')
  let at = '/'
  for (const [i, name] of names.entries()) {
    const here = join(at, name)
    const kind = kindAt(here)
    const rest = names.slice(i + 1).join('/')
    if (kind === null) return join(here, rest)
    if (kind === 'link') return follow(resolve(at, readlinkSync(here), rest), links + 1)
    at = here
  }
  return at
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
