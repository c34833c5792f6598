import { minimatch } from 'minimatch'

export interface DiskEntry {
  readonly name: string
  readonly kind: 'file' | 'directory' | 'link'
}

/** `/proc/self/cwd/x`: a file that is found through what a process has open. */
export const ofProcess = /^(\/proc\/[^/]+\/(cwd|root|fd|task|map_files)(\/|$)|\/dev\/fd\/\d+\/)/

/** The disk as whoever judges a call may look at it: says where an absolute path leads with symlinks followed. */
export interface Disk {
  (path: string): string
  /** The names in a directory; null when there is none, or it cannot be listed. */
  readonly entries?: ((directory: string) => readonly DiskEntry[] | null) | undefined
  /** SHA-256 of a plain file of a size that scripts have, in hex; null for any other. */
  readonly hash?: ((path: string) => string | null) | undefined
  /** The text of a plain file of at most 64 KiB; null for any other. */
  readonly text?: ((path: string) => string | null) | undefined
  /** The absolute paths of all files that the repository around a directory ever held; null when nobody can say. */
  readonly history?: ((directory: string) => ReadonlySet<string> | null) | undefined
  /** The repositories found so far, for as long as whoever looks keeps what was seen. */
  readonly repositories?: Map<string, Repository | null>
}

/** The disk while one call is judged: each path is followed once, each directory looked through once. */
export interface Looking extends Disk {
  /**
   * All that lies below a directory, links not followed, without what has one of the names in `except`; null where that is
   * too much, or nobody can say.
   */
  readonly below: (directory: string, except?: readonly string[]) => readonly string[] | null
  /** The kind of what stands at a path whose symlinks were followed; undefined where nothing does. */
  readonly kindAt: (path: string) => DiskEntry['kind'] | undefined
  /** The directory in which a path is looked for: its own, or the one around what is none. */
  readonly placeOf: (path: string) => string
}

/** @example looking(resolveReal).below('/repo/src') */
export function looking(disk: Disk): Looking {
  const entries = disk.entries && remembered(disk.entries)
  const walked = new Map<string, readonly string[] | null>()
  const below = (directory: string, except: readonly string[] = []): readonly string[] | null => {
    const key = [directory, ...except].join('\0')
    const known = walked.get(key)
    if (known !== undefined) return known
    const there = entries !== undefined && !isNone(directory)
    const found = there ? everythingIn(directory, { entries, except }) : ((entries && []) ?? null)
    walked.set(key, found)
    return found
  }
  const kindAt = (path: string): DiskEntry['kind'] | undefined => {
    const end = path.lastIndexOf('/')
    if (path === '/') return 'directory'
    return kindsOf(entries?.(path.slice(0, end) || '/')).get(path.slice(end + 1))
  }
  const { hash, text, history, repositories = new Map<string, Repository | null>() } = disk
  const real = remembered(disk)
  // Most names of a line are nothing, as the directory around them says where it can be listed, or is nothing itself.
  const seen = (path: string): DiskEntry['kind'] | 'none' | 'unlisted' =>
    kindAt(path) ?? ((entries?.(above(path)) ?? null) !== null || isNone(above(path)) ? 'none' : 'unlisted')
  const isNone = (path: string): boolean => {
    const kind = seen(path)
    return kind === 'file' || kind === 'none'
  }
  const placeOf = (path: string): string => (path !== '/' && isNone(path) ? above(path) : path)
  const past = history && remembered(history)
  return Object.assign(real, {
    entries,
    hash,
    text: text && remembered((path: string) => (/^(directory|none)$/.test(seen(path)) ? null : text(path))),
    // One question for all names of a directory.
    history: past && ((path: string) => past(placeOf(path))),
    repositories,
    below,
    kindAt,
    placeOf,
  })
}

/** The answers of a function about paths, each asked for once. */
function remembered<T>(of: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>()
  return (path) => {
    const before = known.get(path)
    if (before !== undefined || known.has(path)) return before as T
    const answer = of(path)
    known.set(path, answer)
    return answer
  }
}

type Kinds = ReadonlyMap<string, DiskEntry['kind']>
const kinds = new WeakMap<readonly DiskEntry[], Kinds>()
const noKinds: Kinds = new Map()

/** The kinds of the names in a directory; made once for a listing that is kept for many calls. */
function kindsOf(entries: readonly DiskEntry[] | null | undefined): Kinds {
  if (!entries) return noKinds
  const known = kinds.get(entries)
  if (known !== undefined) return known
  const found: Kinds = new Map(entries.map(({ name, kind }) => [name, kind]))
  kinds.set(entries, found)
  return found
}

type Walked = { readonly entries: NonNullable<Disk['entries']>; readonly except: readonly string[] }

function everythingIn(directory: string, { entries, except }: Walked): readonly string[] | null {
  // The whole machine is too much, and `/proc` has no end.
  if (directory === '/') return null
  const found: string[] = []
  const open = [directory]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { name, kind } of entries(at) ?? []) {
      if (except.includes(name)) continue
      const path = below(at, name)
      found.push(path)
      if (kind === 'directory') open.push(path)
    }
    if (found.length > mostEntries) return null
  }
  return found
}

/** More files, and more links among them, are not looked through for one call. */
const mostEntries = 20_000
const mostLinks = 1_000
/** More files than this do not stand for one pattern. */
const mostMatches = 1_000

/** A longer pattern can only go round in a circle of links. */
const mostSegments = 64

interface Search {
  readonly disk: Disk
  readonly wide: boolean
  readonly work: { left: number }
  /** Behind any other segment only a directory can follow. */
  readonly last: boolean
}

/** `/a/*.ts` → the files that match, null where they are too many. */
export function globbed(pattern: string, disk: Disk, wide: boolean): readonly string[] | null {
  const work = { left: mostEntries }
  let found: readonly string[] = ['/']
  const segments = pattern.split('/').filter((segment) => segment !== '')
  if (segments.length > mostSegments) return null
  for (const [at, segment] of segments.entries()) {
    const last = at === segments.length - 1
    const next = /(?<!\\)[*?[]/.test(segment)
      ? matches(found, segment, { disk, wide, work, last })
      : plain(found, segment)
    if (next === null || next.length > mostMatches) return null
    found = next
  }
  return found
}

function plain(directories: readonly string[], segment: string): readonly string[] {
  return directories.map((directory) => below(directory, segment.replaceAll(/\\(.)/g, '$1')))
}

function below(directory: string, name: string): string {
  return directory === '/' ? `/${name}` : `${directory}/${name}`
}

/** Bash before 5.2, and one that is told so, finds `..` by these. */
const climbing = /^\.(\.|\?|\*+|\[.*\])\**$/

function above(directory: string): string {
  return directory.slice(0, directory.lastIndexOf('/')) || '/'
}

function matches(
  directories: readonly string[],
  segment: string,
  { disk, wide, work, last }: Search,
): readonly string[] | null {
  // With globstar it stands for any depth.
  if (segment === '**' && wide) return null
  const options = {
    dot: wide || segment.startsWith('.'),
    nocase: wide,
    nobrace: true,
    nonegate: true,
    nocomment: true,
    noext: true,
  }
  const test = (name: string): boolean => minimatch(name, segment === '**' ? '*' : segment, options)
  const found: string[] = []
  for (const directory of directories) {
    const entries = disk.entries?.(disk(directory)) ?? []
    work.left -= entries.length
    if (work.left < 0) return null
    for (const { name, kind } of entries)
      if ((last || kind !== 'file') && test(name)) found.push(below(directory, name))
    if (!last && climbing.test(segment)) found.push(above(disk(directory)))
  }
  return found
}

/** A repository as git would find it from a directory. */
export interface Repository {
  readonly root: string
  /** The directory of the working files; of a bare repository the root. */
  readonly top: string
  /** The files of git lie in the folder itself, and a clone can bring such a folder along. */
  readonly bare: boolean
  /** A submodule or a worktree: its files lie in another repository. */
  readonly linked: boolean
}

/** The repository in which a git command that starts in a directory works; null where there is none. */
export function repositoryOf(directory: string, disk: Looking): Repository | null {
  const place = disk.placeOf(directory)
  const known = disk.repositories?.get(place)
  if (known !== undefined) return known
  const found = searchUp(place, disk)
  disk.repositories?.set(place, found)
  return found
}

function searchUp(directory: string, disk: Disk): Repository | null {
  if (disk.entries === undefined) return null
  let at = disk(directory)
  for (;;) {
    const there = kindsOf(disk.entries(at))
    const git = there.get('.git')
    // Git takes the folder itself where it does not like the `.git` in it.
    const bare = git === 'link' || isRepository(there)
    if (git !== undefined) return { root: at, top: at, bare, linked: git === 'file' && isSubmodule(at, disk) }
    if (bare) return { root: at, top: topOf(at), bare, linked: false }
    if (at === '/') return null
    at = above(at)
  }
}

function isRepository(there: Kinds): boolean {
  return there.has('HEAD') && (there.has('commondir') || (there.has('objects') && there.has('refs')))
}

/** `/repo/.git/modules/lib` → `/repo/lib`: as a submodule is named, where nobody named it otherwise. */
function topOf(git: string): string {
  return git.replace('/.git/modules/', '/').replace(/\/\.git$/, '') || '/'
}

/** Some repository around it keeps submodules, as its own files say. */
function isSubmodule(directory: string, disk: Disk): boolean {
  for (let at = directory; at !== '/';) {
    at = above(at)
    const names = disk.entries?.(at)?.map(({ name }) => name) ?? []
    if (names.includes('.gitmodules')) return disk.entries?.(below(at, '.git/modules')) !== null
  }
  return false
}

const targets = new WeakMap<Iterable<string>, readonly (string | null)[]>()

/**
 * The files to which the links among some paths lead; null for one in a circle, and for all where they are too many. Paths that come again, for another rule, are not looked up again.
 *
 * @example targetsOf(['/repo/link', '/repo/a.txt'], disk) // ['/repo/.env']
 */
export function targetsOf(paths: Iterable<string>, disk: Looking): readonly (string | null)[] {
  const known = targets.get(paths)
  if (known !== undefined) return known
  const links = [...paths].filter((path) => disk.kindAt(path) === 'link')
  const found = links.length > mostLinks ? [null] : links.map((path) => endOf(path, disk))
  targets.set(paths, found)
  return found
}

function endOf(path: string, disk: Looking): string | null {
  try {
    return disk(path)
  } catch {
    return null
  }
}

/**
 * All that lies below a directory, links to directories followed, each of these once; null where that is too much, or nobody
 * can say.
 */
export function belowThrough(directory: string, disk: Looking): readonly string[] | null {
  const found = new Set<string>()
  const open = [directory]
  const seen = new Set(open)
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const inside = disk.below(at)
    if (inside === null || found.size > mostEntries) return null
    for (const path of inside) found.add(path)
    for (const target of targetsOf(inside, disk)) {
      if (target === null) return null
      found.add(target)
      if (disk.kindAt(target) !== 'directory' || seen.has(target)) continue
      seen.add(target)
      open.push(target)
    }
  }
  return [...found]
}
