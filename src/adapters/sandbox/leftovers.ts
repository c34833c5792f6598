import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, statSync } from 'node:fs'
import { lstat, rename } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { FileWriters } from '../../protocol/tools/filesystem.ts'
import { isInside } from '../../rules/paths/path-inside.ts'
import { detours, placeNamed, settingThatRuns, withoutPrograms } from '../../rules/sandbox/git-leftovers.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { readPlainFile } from '../fs/plain-file.ts'
import { openDirectory } from '../fs/open-directory.ts'
import { replaceFile } from '../fs/replace-file.ts'
import { resolveReal } from '../fs/resolve-real.ts'
import { isPlaceholder } from './placeholders.ts'
import type { Look } from './tree-index.ts'

/*
 * Leftovers of a sandboxed command that would run later, outside of any sandbox: made harmless and told.
 * Owns: the names `*.left`. Never: removes what somebody made, touches what was there before the command.
 * 1. A repository stays one where its settings name no program and it has no hook. 2. A file or link `.git` stays where it names a
 *    repository that is looked at. 3. No link leads where commands write and nobody looks. 4. What configures tools does
 *    not appear, unless a member wrote it with a tool that asks. 5. What git goes on with later runs no program.
 */

export interface Leaving {
  /** The look when the command began, and the one now. */
  readonly before: Look
  readonly after: Look
  /** `actsOf(before)`, taken when the command began. */
  readonly acts: ReadonlyMap<string, number>
  /** Directories that are looked through. */
  readonly watched: readonly string[]
  /** The directory that is not, although commands write there. */
  readonly temporary: string
  readonly writers?: FileWriters | undefined
}

/** Sentences about one command. */
const mostSaid = 20
const actFiles = ['rebase-merge/git-rebase-todo', 'rebase-merge/strategy', 'sequencer/opts']

/** The files that say how git goes on with a rebase or the like, with the times of their last change. */
export function actsOf({ repositories, worktrees }: Look): ReadonlyMap<string, number> {
  const paths = [...repositories, ...worktrees].flatMap((repository) => actFiles.map((name) => join(repository, name)))
  return new Map(paths.flatMap((path) => [[path, statOrNull(path)?.ctimeMs ?? 0] as const]))
}

/**
 * Puts aside what a command left.
 *
 * @returns what to tell about it, with a line end behind each sentence; nothing where there is nothing
 * @example await putLeftoversAside({ before, after, acts, watched: ['/repo'], temporary: '/tmp' })
 */
export async function putLeftoversAside(leaving: Leaving): Promise<string> {
  const { before, after, acts } = leaving
  const known = new Set([...before.repositories, ...before.worktrees, ...before.gitFiles, ...before.files])
  const fresh = (paths: readonly string[]): readonly string[] => paths.filter((path) => !known.has(path))
  const isKnown = (path: string): boolean => known.has(path)
  const said: string[] = []
  for (const repository of [...after.repositories, ...after.worktrees]) said.push(...(await tamed(repository, acts)))
  const aside = async (path: string, why: string): Promise<void> => void said.push(await setAside(path, why))
  for (const repository of fresh([...after.repositories, ...after.worktrees])) {
    const why = armed(repository, isKnown, leaving)
    if (why === null) continue
    for (const name of ['refs', 'HEAD'])
      if (isThere(join(repository, name)))
        await aside(join(repository, name), `${why} of the repository would run a program outside`)
  }
  for (const path of fresh(after.gitFiles)) {
    const why = strayingGitFile(path, isKnown, leaving)
    if (why !== null) await aside(path, `${why} of the repository would run a program outside`)
  }
  const mayStay = mayAppear(leaving)
  for (const path of fresh(after.files))
    if (!isPlaceholder(path) && !mayStay(path))
      await aside(path, 'it configures tools, and is made with Write, which asks')
  for (const [path, text] of after.links)
    if (before.links.get(path) !== text && isThere(path) && leadsAstray(path, text, leaving))
      await aside(path, `it leads to ${text}, where commands may write and nobody looks`)
  const more = said.length - mostSaid
  return [...said.slice(0, mostSaid), ...(more > 0 ? [`The sandbox did so ${more} times more.`] : [])]
    .map((sentence) => `${sentence}\n`)
    .join('')
}

/** The part of a new repository that may run a program, or may come to; null when none does. */
function armed(repository: string, isKnown: (path: string) => boolean, leaving: Leaving): string | null {
  for (const name of ['config', 'config.worktree', 'commondir', 'hooks']) {
    const stat = lstatSync(join(repository, name), { throwIfNoEntry: false })
    if (stat === undefined || (name === 'hooks' && stat.isDirectory())) continue
    // A file with a second name can be changed under that name.
    if (!stat.isFile() || stat.nlink > 1) return name
  }
  for (const name of ['config', 'config.worktree']) {
    const setting = runningSetting(join(repository, name))
    if (setting !== undefined) return setting
  }
  for (const name of namesIn(join(repository, 'hooks'))) {
    const stat = lstatSync(join(repository, 'hooks', name), { throwIfNoEntry: false })
    if (stat === undefined || name.endsWith('.sample') || stat.isDirectory()) continue
    if (!stat.isFile() || stat.nlink > 1 || (stat.mode & 0o111) !== 0) return `hooks/${name}`
  }
  if (!isThere(join(repository, 'commondir'))) return null
  const place = placeNamed(textOf(join(repository, 'commondir')) ?? '', '')
  const real = typeof place === 'string' ? realPlace(resolve(repository, place)) : null
  // A repository is looked at itself.
  const isLookedAt = real !== null && (isKnown(real) || leaving.after.repositories.includes(real))
  return isLookedAt && !isThere(join(real, 'commondir')) ? null : 'commondir'
}

/** The first setting in a file that may run something; the file itself where git cannot read it. */
function runningSetting(file: string): string | undefined {
  if (!isThere(file)) return undefined
  const keys = settingsOf(file, '--name-only', '--list')
  return keys === null ? basename(file) : settingThatRuns(keys)
}

function settingsOf(file: string, ...wanted: readonly string[]): readonly string[] | null {
  if (statOrNull(file)?.isFile() !== true) return null
  const args = ['config', '--file', file, '--null', ...wanted]
  // Git reads the settings of a repository around it as well: there is none around the root.
  const { status, stdout } = spawnSync('git', args, { cwd: '/', encoding: 'utf8', timeout: 10_000 })
  const values = stdout.split('\0').filter((key) => key !== '')
  // One says that nothing has this name.
  return status === 0 || (status === 1 && values.length === 0) ? values : null
}

/** Why a new file or link `.git` may not stay; null where it may. */
function strayingGitFile(path: string, isKnown: (path: string) => boolean, { watched }: Leaving): string | null {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return null
  if (!stat.isFile() || stat.nlink > 1) return 'text'
  const place = placeNamed(textOf(path) ?? '', 'gitdir: ')
  if (place === undefined) return null
  if (place === null) return 'text'
  const real = realPlace(resolve(dirname(path), place))
  return real !== null && (isKnown(real) || watched.some((dir) => isInside(resolveReal(dir), real))) ? null : 'place'
}

function leadsAstray(path: string, text: string, { watched, temporary }: Leaving): boolean {
  if (detours(text)) return true
  const real = realPlace(resolve(dirname(path), text))
  if (real === null) return false
  const within = (dirs: readonly string[]): boolean => dirs.some((dir) => isInside(resolveReal(dir), real))
  return within(['/proc', '/dev/fd']) || (within([temporary]) && !within(watched))
}

/** Null where links form a circle: nothing is there. */
function realPlace(path: string): string | null {
  try {
    return resolveReal(path)
  } catch {
    return null
  }
}

/**
 * Says of a file or folder that configures tools whether all of it may appear: a member wrote it with a tool, which asks first, or
 * it is a copy of one that was there, as in a new worktree.
 */
function mayAppear({ before, writers }: Leaving): (path: string) => boolean {
  let copies: ReadonlySet<string> | undefined
  const isOne = (path: string): boolean => {
    const sha256 = hashOf(path)
    if (sha256 === null || (lstatSync(path, { throwIfNoEntry: false })?.nlink ?? 2) > 1) return false
    copies ??= new Set(before.files.flatMap(filesIn).map((known) => `${basename(known)}:${hashOf(known)}`))
    return copies.has(`${basename(path)}:${sha256}`) || writers?.writerOf(resolveReal(path), sha256) !== undefined
  }
  return (path) => {
    const files = filesIn(path)
    return files.length > 0 && files.every(isOne)
  }
}

/** A path that is no folder, or all that lie in it. */
function filesIn(path: string): readonly string[] {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path]
  return namesIn(path).flatMap((name) => filesIn(join(path, name)))
}

function hashOf(path: string): string | null {
  const text = textOf(path)
  return text === null ? null : createHash('sha256').update(text).digest('hex')
}

/** Takes out what git would run when somebody goes on with a rebase, or the like, that changed since the beginning. */
async function tamed(repository: string, acts: ReadonlyMap<string, number>): Promise<readonly string[]> {
  const said: string[] = []
  for (const name of actFiles) {
    const path = join(repository, name)
    const stat = statOrNull(path)
    if (stat === null || stat.ctimeMs === acts.get(path)) continue
    const link = [dirname(path), path].find((part) => lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink())
    if (link !== undefined) said.push(await setAside(link, 'git would go on with what another place says'))
    else if (name.endsWith('todo')) said.push(...(await withoutLines(path)))
    else if (mergesByPath(path)) said.push(await setAside(path, 'git would run a program to merge'))
  }
  return said
}

/** A way to merge is a part of the name of a program, which may lead to any other by its path. */
function mergesByPath(file: string): boolean {
  if (file.endsWith('strategy')) return textOf(file)?.includes('/') !== false
  const ways = settingsOf(file, '--get-all', 'options.strategy')
  return ways === null || ways.some((way) => way.includes('/'))
}

async function withoutLines(todo: string): Promise<readonly string[]> {
  const text = textOf(todo)
  if (text === null) return [await setAside(todo, 'nobody can read it')]
  const kept = withoutPrograms(text)
  if (kept === text) return []
  return [
    await inPlace(todo, (path) => {
      replaceFile(path, kept)
      return Promise.resolve(`The sandbox took out of ${todo} what would run a program outside.`)
    }),
  ]
}

function setAside(path: string, why: string): Promise<string> {
  return inPlace(path, async (opened) => {
    const name = await freeName(dirname(opened), `${basename(path)}.left`)
    await rename(opened, join(dirname(opened), name))
    return `The sandbox left ${path} as ${name}: ${why}.`
  })
}

/** Does something to what stands in a directory, whatever became of the way to the directory meanwhile. */
async function inPlace(path: string, act: (opened: string) => Promise<string>): Promise<string> {
  try {
    const opened = await openDirectory(resolveReal(dirname(path)))
    if ('trouble' in opened) throw new Error(opened.trouble)
    try {
      return await act(join(opened.base, basename(path)))
    } finally {
      await opened.handle.close()
    }
  } catch (error) {
    return `The sandbox could not make ${path} harmless, which may run a program outside: ${errorText(error)}`
  }
}

async function freeName(directory: string, name: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const tried = count === 1 ? name : `${name}.${count}`
    const taken = await lstat(join(directory, tried)).catch(() => null)
    if (taken === null) return tried
  }
}

function statOrNull(path: string) {
  try {
    return statSync(path)
  } catch {
    return null
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** Null for what is no plain file: nobody waits on a pipe. */
function textOf(path: string): string | null {
  try {
    const read = readPlainFile(path)
    return 'text' in read ? read.text : null
  } catch {
    return null
  }
}
