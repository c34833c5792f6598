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
  /** The places at which the index in a directory of git holds a commit of another repository; null where nobody can say. */
  readonly gitLinks?: ((directory: string) => readonly string[] | null) | undefined
  /** The repositories found so far, for as long as whoever looks keeps what was seen. */
  readonly repositories?: Map<string, Repository | null>
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
  const kindAt = (path: string): DiskEntry['kind'] | undefined =>
    path === '/' ? 'directory' : kindsOf(entries?.(directoryAround(path))).get(nameOf(path))
  const { hash, text, history, gitLinks, repositories = new Map<string, Repository | null>() } = disk
  const real = remembered(disk)
  // Most names of a line are nothing, as the directory around them says where it can be listed, or is nothing itself.
  const seen = (path: string): DiskEntry['kind'] | 'none' | 'unlisted' => {
    if (path === '/') return 'directory'
    const around = directoryAround(path)
    const listed = entries?.(around)
    if (listed) return kindsOf(listed).get(nameOf(path)) ?? 'none'
    return isNone(around) ? 'none' : 'unlisted'
  }
  const isNone = (path: string): boolean => {
    const kind = seen(path)
    return kind === 'file' || kind === 'none'
  }
  const placeOf = (path: string): string => (path !== '/' && isNone(path) ? directoryAround(path) : path)
  const past = history && remembered(history)
  return Object.assign(real, {
    entries,
    hash,
    text: text && remembered((path: string) => (['directory', 'none'].includes(seen(path)) ? null : text(path))),
    // One question for all names of a directory.
    history: past && ((path: string) => past(placeOf(path))),
    gitLinks,
    repositories,
    below: lookingBelow(entries, isNone),
    kindAt,
    placeOf,
  })
}

function lookingBelow(entries: Disk['entries'], isNone: (path: string) => boolean): Looking['below'] {
  const walked = new Map<string, readonly string[] | null>()
  return (directory, except = []) => {
    const key = [directory, ...except].join('\0')
    const known = walked.get(key)
    if (known !== undefined) return known
    const there = entries !== undefined && !isNone(directory)
    const found = there ? everythingIn(directory, { entries, except }) : ((entries && []) ?? null)
    walked.set(key, found)
    return found
  }
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

export type Kinds = ReadonlyMap<string, DiskEntry['kind']>
const kinds = new WeakMap<readonly DiskEntry[], Kinds>()
const noKinds: Kinds = new Map()

/** The kinds of the names in a directory; made once for a listing that is kept for many calls. */
export function kindsOf(entries: readonly DiskEntry[] | null | undefined): Kinds {
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
      const path = pathIn(at, name)
      found.push(path)
      if (kind === 'directory') open.push(path)
    }
    if (found.length > mostEntries) return null
  }
  return found
}

/** More files than this are not looked through for one call. */
export const mostEntries = 20_000

/** The path of a name in a directory. */
export function pathIn(directory: string, name: string): string {
  return directory === '/' ? `/${name}` : `${directory}/${name}`
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The directory around a path. */
export function directoryAround(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}
