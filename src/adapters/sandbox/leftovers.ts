import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstat, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { withoutPrograms } from '../../rules/sandbox/git-leftovers.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { systemPrograms } from '../fs/system-programs.ts'
import { openDirectory } from '../fs/open-directory.ts'
import { replaceFile } from '../fs/replace-file.ts'
import { entries, resolveReal } from '../fs/resolve-real.ts'
import { armed, armingParts, settingsOf, strayingGitFile } from './armed-repository.ts'
import { actFiles } from './beginning.ts'
import { isAstray, type Leaving } from './leaving.ts'
import { isThere, linkStatOrNull, statOrNull, plainFileText } from './look-at.ts'
import { isPlaceholder } from './placeholders.ts'

/*
 * Leftovers of a sandboxed command that would run later, outside of any sandbox: made harmless and told.
 * Owns: the names `*.left`. Never: removes what somebody made, touches what was there before the command.
 * 1. A repository stays one where its settings name no program and it has no hook. 2. A file or link `.git` stays where it names a
 *    repository that is looked at. 3. No link leads where commands write and nobody looks. 4. What configures tools does
 *    not appear, unless a member wrote it with a tool that asks. 5. What git goes on with later runs no program.
 */

/** Sentences about one command. */
const mostSaid = 20

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
    for (const name of ['refs', 'HEAD', ...armingParts])
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
    if (before.links.get(path) !== text && isThere(path) && isAstray(path, text, leaving))
      await aside(path, `it leads to ${text}, where commands may write and nobody looks`)
  const tracked = fresh(after.files).filter((path) => !isThere(path) && isTracked(path))
  if (tracked.length > 0)
    said.unshift(
      `Git takes ${tracked.join(', ')} for deleted now: commit nothing before "git restore" outside of the sandbox, which asks, brings them back.`,
    )
  const more = said.length - mostSaid
  return [...said.slice(0, mostSaid), ...(more > 0 ? [`The sandbox did so ${more} times more.`] : [])]
    .map((sentence) => `${sentence}\n`)
    .join('')
}

/** Whether the repository around it holds a path, as behind a checkout. */
function isTracked(path: string): boolean {
  const args = ['-c', 'core.fsmonitor=false', '-C', dirname(path), 'ls-files', '--error-unmatch', '--', basename(path)]
  return spawnSync(systemPrograms([dirname(path)]).find('git'), args, { timeout: 10_000 }).status === 0
}

/**
 * Says of a file or folder that configures tools whether all of it may appear: a member wrote it with a tool, which asks first, or
 * it is a copy of one that was there, as in a new worktree.
 */
function mayAppear({ before, writers }: Leaving): (path: string) => boolean {
  let copies: ReadonlySet<string> | undefined
  const isOne = (path: string): boolean => {
    const sha256 = hashOf(path)
    if (sha256 === null || (linkStatOrNull(path)?.nlink ?? 2) > 1) return false
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
  if (linkStatOrNull(path)?.isDirectory() !== true) return [path]
  return (entries(path) ?? []).flatMap(({ name }) => filesIn(join(path, name)))
}

function hashOf(path: string): string | null {
  const text = plainFileText(path)
  return text === null ? null : createHash('sha256').update(text).digest('hex')
}

/** Takes out what git would run when somebody goes on with a rebase, or the like, that changed since the beginning. */
async function tamed(repository: string, acts: ReadonlyMap<string, number>): Promise<readonly string[]> {
  const said: string[] = []
  for (const name of actFiles) {
    const path = join(repository, name)
    const stat = statOrNull(path)
    if (stat === null || stat.ctimeMs === acts.get(path)) continue
    const link = [dirname(path), path].find((part) => linkStatOrNull(part)?.isSymbolicLink())
    if (link !== undefined) said.push(await setAside(link, 'git would go on with what another place says'))
    else if (name.endsWith('todo')) said.push(...(await withoutLines(path)))
    else if (mergesByPath(path)) said.push(await setAside(path, 'git would run a program to merge'))
  }
  return said
}

/** A way to merge is a part of the name of a program, which may lead to any other by its path. */
function mergesByPath(file: string): boolean {
  if (file.endsWith('strategy')) return plainFileText(file)?.includes('/') !== false
  const ways = settingsOf(file, '--get-all', 'options.strategy')
  return ways === null || ways.some((way) => way.includes('/'))
}

async function withoutLines(todo: string): Promise<readonly string[]> {
  const text = plainFileText(todo)
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
