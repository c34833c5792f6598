import { chmodSync, lstatSync, readlinkSync, type Stats } from 'node:fs'
import { configuresTools } from '../../rules/paths/configuring-files.ts'
import { entries } from '../fs/resolve-real.ts'

/*
 * Findings below some directories that configure tools, kept from one command to the next.
 * Owns: its own notes of directories. Never: follows a link, changes a file.
 * 1. A directory is read again only when the system's own time of its last change is another one, which no command can
 *    set: a look costs one question about each directory, and nothing for files.
 * 2. A directory at a new path is read whole, wherever it was moved from.
 */

/** Directories without end, whose files configure nobody's work. Repositories are looked for there as well. */
const passedOver = new Set(['node_modules', '.venv', 'vendor', 'target'])

/** The findings; paths are absolute. Links by their paths, with their texts. */
export interface Look {
  /** Directories named `.git`, and whatever else git takes for the inside of a repository. */
  readonly repositories: readonly string[]
  /** Directories in which repositories keep what they know of worktrees. */
  readonly worktrees: readonly string[]
  /** Files and links named `.git`. */
  readonly gitFiles: readonly string[]
  readonly files: readonly string[]
  readonly links: ReadonlyMap<string, string>
  /** Directories whose owner may not list them, or not enter: what is in them is not known. */
  readonly shut: readonly string[]
  /** All paths where files of the work lie. */
  readonly seen: readonly string[]
}

type Part = { readonly [Key in keyof Omit<Look, 'links'>]: string[] } & {
  readonly links: (readonly [string, string])[]
}

interface Directory extends Part {
  readonly changed: number
  readonly inode: number
  readonly inner: readonly string[]
}

export interface TreeIndex {
  look(tops: readonly string[]): Look
  /** The same in portions; shut directories that are not among `known` are opened to their owner. */
  lookBehind(tops: readonly string[], known?: readonly string[]): Promise<Look>
}

/** Two changes within it may have the same time. */
const tickMs = 50
const portion = 2_000

/**
 * An index that knows nothing yet.
 *
 * @param now Milliseconds of the epoch; without it each look reads all directories.
 * @example treeIndex(Date.now).look(['/repo']).repositories // ['/repo/.git']
 */
export function treeIndex(now = () => NaN): TreeIndex {
  let kept: ReadonlyMap<string, Directory> = new Map()
  function* walk(tops: readonly string[], mayOpen: (path: string) => boolean): Generator<void, Look> {
    const next = new Map<string, Directory>()
    for (const top of tops) {
      // The list grows while it is read: the directories that were found.
      const open = [top]
      for (const at of open) {
        const stat = next.has(at) ? undefined : statOf(at)
        if (stat === undefined) continue
        const before = kept.get(at)
        const same = before?.changed === stat.ctimeMs && before.inode === stat.ino
        const found = same ? before : { ...read(at, top), changed: settled(stat, now()), inode: stat.ino }
        const isOpened = found.shut.length > 0 && mayOpen(at) && openUp(at, stat)
        const directory = isOpened ? { ...found, ...read(at, top), changed: NaN } : found
        next.set(at, directory)
        for (const name of directory.inner) open.push(at === '/' ? `/${name}` : `${at}/${name}`)
        if (next.size % portion === 0) yield
      }
    }
    kept = next
    return joined([...next.values()])
  }
  return {
    look(tops) {
      const steps = walk(tops, () => false)
      for (;;) {
        const { done, value } = steps.next()
        if (done === true) return value
      }
    },
    async lookBehind(tops, known = []) {
      const steps = walk(tops, (path) => !known.includes(path))
      for (;;) {
        const { done, value } = steps.next()
        if (done === true) return value
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

/** A directory that changed just now may change again at the same time: such a time is equal to none. */
function settled({ ctimeMs }: Stats, now: number): number {
  return Math.abs(now - ctimeMs) >= tickMs ? ctimeMs : NaN
}

function statOf(path: string): Stats | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat?.isDirectory() === true ? stat : undefined
  } catch {
    // This name leads nobody anywhere.
    return undefined
  }
}

function openUp(path: string, { mode }: Stats): boolean {
  try {
    chmodSync(path, (mode & 0o777) | 0o700)
    return true
  } catch {
    // The directory belongs to another user, whose commands are not these.
    return false
  }
}

function mayEnter(path: string): boolean {
  try {
    return lstatSync(`${path}/.`).isDirectory()
  } catch {
    return false
  }
}

function read(at: string, top: string): Omit<Directory, 'changed' | 'inode'> {
  const listed = entries(at)
  const found = listed ?? []
  const names = new Set(found.map(({ name }) => name))
  const above = at.slice(top.length + 1).split('/')
  const isOfGit = above.includes('.git') || top.endsWith('/.git')
  const isPassed = isOfGit || above.some((name) => passedOver.has(name))
  const inner: string[] = []
  const shut = listed === null || !mayEnter(at) ? [at] : []
  const part: Part = { repositories: [], worktrees: [], gitFiles: [], files: [], links: [], shut, seen: [] }
  if ((names.has('objects') && names.has('refs')) || at.endsWith('/.git')) part.repositories.push(at)
  else if (names.has('HEAD') && names.has('commondir')) part.worktrees.push(at)
  for (const { name, kind } of found) {
    const path = at === '/' ? `/${name}` : `${at}/${name}`
    if (!isPassed && !passedOver.has(name)) part.seen.push(path)
    if (kind === 'link') part.links.push([path, linkText(path)])
    if (name === '.git') (kind === 'directory' ? inner : part.gitFiles).push(kind === 'directory' ? name : path)
    else if (!isPassed && configuresTools(path.slice(top.length + 1))) part.files.push(path)
    else if (kind === 'directory') inner.push(name)
  }
  return { ...part, inner }
}

function linkText(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    // The link is gone again.
    return ''
  }
}

function joined(parts: readonly Part[]): Look {
  return {
    repositories: parts.flatMap(({ repositories }) => repositories),
    worktrees: parts.flatMap(({ worktrees }) => worktrees),
    gitFiles: parts.flatMap(({ gitFiles }) => gitFiles),
    files: parts.flatMap(({ files }) => files),
    links: new Map(parts.flatMap(({ links }) => links)),
    shut: parts.flatMap(({ shut }) => shut),
    seen: parts.flatMap(({ seen }) => seen),
  }
}
