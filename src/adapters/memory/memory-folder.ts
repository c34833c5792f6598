import { accessSync, constants, lstatSync, realpathSync, unlinkSync } from 'node:fs'
import { link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pid } from 'node:process'
import {
  earlierIgnoreText,
  ignoreText,
  isPersonal,
  type Memory,
  type MemoryDraft,
  type MemoryProblem,
  type MemoryScope,
} from '../../protocol/memory/memory.ts'
import { isoDay } from '../../rules/memory/absolute-dates.ts'
import { contentHash } from '../fs/content-hash.ts'
import { errorCode } from '../fs/error-code.ts'
import { namesIn } from '../fs/names-in.ts'
import { openDirectory } from '../fs/open-directory.ts'
import { readPlainFile, type PlainFile } from '../fs/plain-file.ts'
import { replaceFile } from '../fs/replace-file.ts'
import { replaceContent } from '../fs/replace-content.ts'
import { memoryFileText, readMemoryText, type MemoryContent } from './memory-file.ts'

/*
 * A folder of memories, one file each, which many processes write at the same time.
 * Owns: the files `<name>.md` and how one comes and goes. Never: the index, which is made from them.
 * 1. A memory is written whole under a name of its own and gets its real name by link(2): two never share one, and a
 *    process that is killed leaves a whole memory or none.
 * 2. A memory that goes is renamed first, so that only one process takes it away.
 * 3. The folder must be where it is said to be: no link leads out of a project. Files are found by listing alone.
 */

/** A folder of memories. */
export interface MemoryFolder {
  readonly scope: MemoryScope
  /** Where it lies, without links. */
  readonly path: string
  /** The folder is one of Claude Code, which writes there as well. */
  readonly foreign?: true | undefined
}

/** The memories of a folder, and the files that are none. */
export interface MemoryListing {
  readonly memories: readonly Memory[]
  readonly problems: readonly MemoryProblem[]
}

/** The name of the index, which is no memory. */
export const indexName = 'MEMORY.md'

const largest = 64 * 1024

/** A name stands in what agents read: nothing in a name closes a line, a bracket or a quote. */
const plainName = /^[\p{L}\p{N}._ -]+$/u
const oddName = 'its name has more than letters, digits, blanks, ".", "_" and "-"; rename it'

/** Reads every memory of a folder; what is broken is named and hides nothing. A file that did not change is read once. */
export function readMemories(folder: MemoryFolder): MemoryListing {
  const memories: Memory[] = []
  const problems: MemoryProblem[] = []
  const astray = leadsAstray(folder)
  if (astray !== null) return { memories, problems: [{ file: folder.path, reason: astray }] }
  for (const file of memoryNames(folder)) {
    const path = join(folder.path, file)
    const read = plainName.test(file) ? readOne(path, folder) : { reason: oddName }
    if (read === null) continue
    if ('reason' in read) problems.push({ file: path, reason: read.reason })
    else memories.push({ ...read, name: file.slice(0, -'.md'.length), scope: folder.scope, path })
  }
  return { memories, problems }
}

/** Names of files that may be memories, sorted. */
export function memoryNames({ path }: MemoryFolder): readonly string[] {
  return namesIn(path)
    .filter((name) => name.endsWith('.md') && !name.startsWith('.') && name !== indexName)
    .toSorted()
}

/** Why a folder is not to be touched, or null: a repository may bring a link along. */
export function leadsAstray({ path }: MemoryFolder): string | null {
  try {
    const real = realpathSync.native(path)
    accessSync(real, constants.R_OK)
    return real === path ? null : `it leads to ${real}: remove the link`
  } catch (error) {
    const code = errorCode(error)
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : `it cannot be opened (${code})`
  }
}

type ReadOne = MemoryContent | { readonly reason: string }

const known = new Map<string, { readonly stamp: string; readonly read: ReadOne }>()
const mostKnown = 10_000

/** Null when it is gone meanwhile. */
function readOne(path: string, { scope, foreign }: MemoryFolder): ReadOne | null {
  const status = lstatSync(path, { throwIfNoEntry: false })
  if (status === undefined) return null
  const stamp = [scope, foreign, status.ino, status.size, status.mtimeMs, status.ctimeMs].join(' ')
  const before = known.get(path)
  if (before?.stamp === stamp) return before.read
  const read = looked(path, { scope, foreign }, status)
  if (read === null) return null
  if (known.size >= mostKnown) known.clear()
  known.set(path, { stamp, read })
  return read
}

function looked(
  path: string,
  { scope, foreign }: Pick<MemoryFolder, 'scope' | 'foreign'>,
  { size, mtimeMs }: { size: number; mtimeMs: number },
): ReadOne | null {
  const long = tooLong(size)
  if (long !== null) return { reason: long }
  const file = plainFileIfThere(path)
  if (file === null || 'reason' in file) return file
  return checked(readMemoryText(file.text, { changed: isoDay(mtimeMs), foreign }), scope)
}

/** A plain file, or null when somebody took it away: other processes do so between any two looks. */
export function plainFileIfThere(path: string): PlainFile | null {
  try {
    return readPlainFile(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

function tooLong(bytes: number): string | null {
  return bytes > largest ? `it has ${bytes} bytes, more than ${largest}; make it shorter` : null
}

/** A file that others share holds no words of the person, whatever it says of its source. */
function checked(read: ReadOne, scope: MemoryScope): ReadOne {
  if ('reason' in read || scope !== 'project') return read
  if (isPersonal(read.kind)) return { reason: `a ${read.kind} memory is private; move it to ~/.troupe/memory` }
  return { ...read, source: { ...read.source, by: 'agent' } }
}

/** Why nothing was written, in a sentence. */
export interface MemoryTrouble {
  readonly trouble: string
}

/** The name that a memory got. `known`: the same memory was there already. */
export interface Added {
  readonly name: string
  readonly known: boolean
}

/**
 * Adds a memory. Whoever else adds one at the same time loses nothing.
 *
 * @param mint makes an id that nobody has
 * @throws what the disk says
 * @example await addMemory({ scope: 'user', path: '/home/ann/.troupe/memory' }, draft, ulid)
 */
export async function addMemory(
  folder: MemoryFolder,
  draft: MemoryDraft,
  mint: () => string,
): Promise<Added | MemoryTrouble> {
  const same = readMemories(folder).memories.find(({ kind, text }) => kind === draft.kind && text === draft.text.trim())
  if (same) return { name: same.name, known: true }
  const id = mint().toLowerCase()
  const slug = slugOf(draft.title, draft.kind)
  const names = [slug, `${slug}-${id.slice(-6)}`, `${slug}-${id}`]
  const long = tooLong(Math.max(...names.map((name) => Buffer.byteLength(memoryFileText(name, draft)))))
  if (long !== null) return { trouble: long }
  if (folder.scope !== 'project') await mkdir(dirname(folder.path), { recursive: true, mode: 0o700 })
  const directory = await openDirectory(folder.path, true)
  if ('trouble' in directory) return directory
  try {
    if (folder.scope === 'project' && !folder.foreign) showToGit(dirname(folder.path))
    const placing = { id, names, isPrivate: folder.scope !== 'project' }
    return { name: await placed(directory.base, draft, placing), known: false }
  } finally {
    await directory.handle.close()
  }
}

/** An earlier version hid the folder from git; a file that a person changed stays. */
function showToGit(troupe: string): void {
  const path = join(troupe, '.gitignore')
  const read = lstatSync(path, { throwIfNoEntry: false }) ? readPlainFile(path) : { text: earlierIgnoreText }
  if ('text' in read && read.text === earlierIgnoreText) replaceFile(path, ignoreText)
}

interface Placing {
  readonly id: string
  /** The names that it may get, the nicest first. */
  readonly names: readonly string[]
  readonly isPrivate: boolean
}

async function placed(base: string, draft: MemoryDraft, { id, names, isPrivate }: Placing): Promise<string> {
  for (const name of names) {
    const temporary = join(base, `.${pid}-${id}.tmp`)
    const handle = await open(temporary, 'wx', isPrivate ? 0o600 : 0o666)
    try {
      await handle.writeFile(memoryFileText(name, draft))
      await handle.datasync()
      await handle.close()
      await link(temporary, join(base, `${name}.md`))
      return name
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    } finally {
      await handle.close()
      await rm(temporary, { force: true })
    }
  }
  throw new Error(`${names.join(' and ')} are taken`)
}

const longestSlug = 48

/** `Prefers tabs!` → `prefers-tabs`; letters of all scripts stay, nothing that leads elsewhere does. */
export function slugOf(title: string, fallback: string): string {
  const words = title
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
  const slug = Array.from(words)
    .slice(0, longestSlug)
    .join('')
    .replaceAll(/^-+|-+$/g, '')
  return slug === '' || slug === 'memory' ? `${fallback}-memory` : slug
}

/**
 * Takes a memory away.
 * @param path of a memory as it was listed
 * @returns false when somebody else did so before
 */
export async function dropMemory({ path }: Pick<Memory, 'path'>, mint: () => string): Promise<boolean> {
  const gone = join(dirname(path), `.${pid}-${mint().toLowerCase()}.tmp`)
  try {
    await rename(path, gone)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
  unlinkSync(gone)
  return true
}

/**
 * Puts another text in the place of a memory's, if nobody changed it meanwhile.
 * @returns why it was not put there, or null
 */
export async function rewriteMemory(
  { path, scope }: Pick<Memory, 'path' | 'scope'>,
  { before, text }: { readonly before: string | Uint8Array; readonly text: string },
): Promise<string | null> {
  const long = tooLong(Buffer.byteLength(text))
  if (long !== null) return long
  const read = checked(readMemoryText(text, { changed: '' }), scope)
  if ('reason' in read) return read.reason
  const put = await replaceContent(path, { content: text, before: contentHash(before), led: path })
  return 'trouble' in put ? put.trouble : null
}
