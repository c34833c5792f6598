import type { Disk, DiskEntry, Repository } from '../../rules/disk/disk.ts'
import { scriptHash, shortText } from './content-hash.ts'
import { gitHistory } from './git-history.ts'
import { gitLinks } from './git/git-links.ts'
import { entries, resolveReal } from './resolve-real.ts'

/** More directories than this are looked up anew. */
const most = 50_000

/**
 * Makes a `resolveReal` that looks each directory up once: for judging many calls against the disk as it is now, never
 * for a call that is about to run.
 *
 * @returns A function that takes absolute paths in their normal form.
 * @example const real = realPaths(); real('/project/link/a.txt'); real('/project/link/b.txt')
 */
export function realPaths(): Disk {
  const directories = new Map<string, Looked>()
  const repositories = new Map<string, Repository | null>()
  const look = (directory: string): Looked => {
    const known = directories.get(directory)
    if (known !== undefined) return known
    if (directories.size >= most) {
      directories.clear()
      repositories.clear()
    }
    const looked = lookAt(resolveReal(directory))
    directories.set(directory, looked)
    return looked
  }
  const real = (path: string): string => {
    const end = path.lastIndexOf('/')
    if (end === path.length - 1) return path
    const directory = path.slice(0, end) || '/'
    const name = path.slice(end + 1)
    const known = look(directory)
    const here = known.real === directory ? path : `${known.real === '/' ? '' : known.real}/${name}`
    return known.links.has(name) ? resolveReal(here) : here
  }
  const entriesOf = (directory: string): readonly DiskEntry[] | null => look(directory).entries
  return Object.assign(real, {
    entries: entriesOf,
    history: gitHistory,
    gitLinks,
    hash: scriptHash,
    text: shortText,
    repositories,
  })
}

interface Looked {
  readonly real: string
  /** The names of its symbolic links. */
  readonly links: ReadonlySet<string>
  readonly entries: readonly DiskEntry[] | null
}

/** Below a directory that is not there nothing is. */
function lookAt(real: string): Looked {
  const found = entries(real)
  const links = new Set(found?.flatMap(({ name, kind }) => (kind === 'link' ? [name] : [])))
  return { real, links, entries: found }
}
