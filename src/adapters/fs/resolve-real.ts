import { type Dirent, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Disk, DiskEntry } from '../../rules/permissions/disk.ts'
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
  const parent = dirname(path)
  if (parent === path) return path
  const home = follow(parent, links)
  const here = join(home, basename(path))
  const target = linkTarget(here)
  return target === null ? here : follow(resolve(home, target), links + 1)
}

function linkTarget(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null
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
