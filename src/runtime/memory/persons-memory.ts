import { lstatSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ulid } from 'ulid'
import { namesIn } from '../../adapters/fs/names-in.ts'
import { readPlainFile } from '../../adapters/fs/plain-file.ts'
import { writeIndex } from '../../adapters/memory/index-file.ts'
import { readMemoryText } from '../../adapters/memory/memory-file.ts'
import {
  addMemory,
  dropMemory,
  indexName,
  leadsAstray,
  memoryNames,
  readMemories,
  rewriteMemory,
  type MemoryFolder,
} from '../../adapters/memory/memory-folder.ts'
import { workspaceOf } from '../../adapters/settings/trust-file.ts'
import { memoryScopes, type Memory, type MemoryProblem, type MemoryScope } from '../../protocol/memory/memory.ts'
import { isoDay } from '../../rules/memory/absolute-dates.ts'
import { eachOnce, memoryFolders, type PersonPlace } from './memory-places.ts'

/* Acts of a person on memories: to look at them, mend them, take them away, take over those of other programs. */

/** Every memory that a person has here, and the files that are none. The indexes are made anew on the way. */
export async function listMemories(
  place: PersonPlace,
  scope?: MemoryScope,
): Promise<{ readonly memories: readonly Memory[]; readonly problems: readonly MemoryProblem[] }> {
  const folders = foldersOf(place, scope)
  const listings = folders.map(readMemories)
  for (const [at, folder] of folders.entries()) if (listings[at]?.memories.length) await writeIndex(folder)
  return {
    memories: listings.flatMap(({ memories }) => memories),
    problems: listings.flatMap(({ problems }) => problems),
  }
}

function foldersOf(place: PersonPlace, scope?: MemoryScope): readonly MemoryFolder[] {
  const folders = memoryFolders(place)
  return scope === undefined ? eachOnce(memoryScopes.map((each) => folders[each])) : [folders[scope]]
}

/** A file that is a memory, or is to become one again. */
export type MemoryFile = Pick<Memory, 'name' | 'scope' | 'path'>

/**
 * Finds the file of one memory by its name, also where the file is broken.
 * @throws Error when there is none, or several scopes have one
 */
export function findMemoryFile(place: PersonPlace, name: string, scope?: MemoryScope): MemoryFile {
  const found = foldersOf(place, scope)
    .filter((folder) => leadsAstray(folder) === null && memoryNames(folder).includes(`${name}.md`))
    .map((folder) => ({ name, scope: folder.scope, path: join(folder.path, `${name}.md`) }))
  const [only, ...others] = found
  if (only === undefined) throw new Error(`there is no memory "${name}"; troupe memory ls shows all`)
  if (others.length === 0) return only
  throw new Error(`${found.map((each) => each.scope).join(' and ')} have a memory "${name}": give --scope`)
}

/**
 * Finds one memory by its name.
 * @throws Error when there is none, the file is broken, or several scopes have one
 */
export function findMemory(place: PersonPlace, name: string, scope?: MemoryScope): Memory {
  const file = findMemoryFile(place, name, scope)
  const { memories, problems } = readMemories(folderOf(file))
  const memory = memories.find(({ path }) => path === file.path)
  if (memory) return memory
  const reason = problems.find((problem) => problem.file === file.path)?.reason ?? 'it is gone'
  throw new Error(`${file.path} is left out: ${reason}`)
}

/**
 * The whole file of a memory, frontmatter included.
 * @throws Error when the file is no plain text that can be edited
 */
export function memoryText({ path }: Pick<Memory, 'path'>): string {
  const read = lstatSync(path).size === 0 ? { text: '' } : readPlainFile(path)
  if ('text' in read) return read.text
  throw new Error(`${path} cannot be shown: ${read.reason}; take the file away with troupe memory forget`)
}

/**
 * Puts another text in the place of a memory's.
 * @throws Error when the text is no memory, or somebody changed it meanwhile
 */
export async function changeMemory(memory: MemoryFile, change: { before: string; text: string }): Promise<void> {
  const trouble = await rewriteMemory(memory, change)
  if (trouble !== null) throw new Error(trouble)
  await writeIndex(folderOf(memory))
}

/** Takes a memory away; false when it was gone already. */
export async function forgetMemory(memory: MemoryFile): Promise<boolean> {
  const was = await dropMemory(memory, ulid)
  await writeIndex(folderOf(memory))
  return was
}

function folderOf({ scope, path }: MemoryFile): MemoryFolder {
  return { scope, path: path.slice(0, path.lastIndexOf('/')) }
}

/** The outcome of an import. */
export interface Imported {
  readonly added: readonly string[]
  readonly known: readonly string[]
  readonly problems: readonly MemoryProblem[]
}

/** The folder in which Claude Code keeps what it remembers of a project. */
export function claudeMemories({ cwd, home }: PersonPlace): string {
  const project = workspaceOf(cwd, home).replaceAll(/[^A-Za-z0-9]/g, '-')
  return join(home, '.claude', 'projects', project, 'memory')
}

/**
 * Takes over a file, or the Markdown files of a folder, as memories. The person who says so vouches for them.
 * @param path a file or a folder; absolute
 */
export async function importMemories(place: PersonPlace, path: string, scope: MemoryScope): Promise<Imported> {
  const folder = memoryFolders(place)[scope]
  const outcome = { added: [] as string[], known: [] as string[], problems: [] as MemoryProblem[] }
  for (const file of filesOf(path)) {
    const read = readPlainFile(file)
    // A file that others share is of an agent for them, whoever puts it there.
    const source = { by: scope === 'project' ? ('agent' as const) : ('person' as const), file }
    const facts = {
      changed: 'reason' in read ? '' : isoDay(statSync(file).mtimeMs),
      vouched: { by: 'person' as const, file },
    }
    const content = 'reason' in read ? read : readMemoryText(read.text, facts)
    if ('reason' in content) {
      outcome.problems.push({ file, reason: content.reason })
      continue
    }
    const kind = scope === 'project' && content.kind !== 'project' ? 'reference' : content.kind
    const draft = { ...content, kind, title: basename(file, '.md'), source }
    const added = await addMemory(folder, draft, ulid)
    if ('trouble' in added) outcome.problems.push({ file, reason: added.trouble })
    else outcome[added.known ? 'known' : 'added'].push(added.name)
  }
  if (outcome.added.length > 0) await writeIndex(folder)
  return outcome
}

function filesOf(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path]
  return namesIn(path)
    .filter((name) => name.endsWith('.md') && name !== indexName)
    .toSorted()
    .map((name) => join(path, name))
}
