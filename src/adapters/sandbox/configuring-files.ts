import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { configuresTools } from '../../rules/paths/configuring-files.ts'
import type { Configuring } from '../../rules/sandbox/sandbox-plan.ts'
import { entries } from '../fs/resolve-real.ts'

/** Directories without end that hold no repository of anybody's work. */
const passedOver = new Set(['node_modules', '.venv', 'vendor', 'target', 'dist'])
/** More entries than this are not looked through for one command. */
const mostEntries = 20_000

interface Walk {
  readonly repositories: string[]
  readonly files: string[]
  readonly seen: string[]
}

/**
 * Files and repositories below some directories that configure tools; repositories in repositories and bare ones are among them. Directories are
 * looked through level by level: where there are too many files the deepest are missed.
 *
 * @param directories Absolute; one may be what git keeps of a repository.
 * @example configuringFiles(['/repo']) // { repositories: ['/repo/.git'], worktrees: [], files: ['/repo/.envrc'], seen: […] }
 */
export function configuringFiles(directories: readonly string[]): Configuring {
  const walk: Walk = { repositories: [], files: [], seen: [] }
  for (const top of new Set(directories)) {
    // The list grows while it is read: the directories that were found.
    const open = [top]
    for (const at of open) {
      if (walk.seen.length > mostEntries) break
      open.push(...lookInto(at, top, walk))
    }
  }
  const { repositories, files } = walk
  return {
    ...walk,
    files: [...files, ...repositories.flatMap(namedIn)],
    worktrees: repositories.flatMap(worktreesOf),
  }
}

/** The directories in `at` that are to be looked into. */
function lookInto(at: string, top: string, { repositories, files, seen }: Walk): readonly string[] {
  const found = entries(at) ?? []
  const has = (name: string, kind: string): boolean => found.some((entry) => entry.name === name && entry.kind === kind)
  if (has('HEAD', 'file') && has('objects', 'directory') && has('refs', 'directory')) {
    repositories.push(at)
    return []
  }
  const inner: string[] = []
  for (const { name, kind } of found) {
    const path = at === '/' ? `/${name}` : `${at}/${name}`
    if (passedOver.has(name)) continue
    seen.push(path)
    if (name === '.git' && kind === 'directory') repositories.push(path)
    else if (configuresTools(path.slice(top.length + 1))) files.push(path)
    else if (kind === 'directory') inner.push(path)
  }
  return inner
}

function worktreesOf(repository: string): readonly string[] {
  return (entries(`${repository}/worktrees`) ?? [])
    .map(({ name }) => `${repository}/worktrees/${name}`)
    .filter((path) => existsSync(`${path}/commondir`))
}

const named = /^[ \t]*(hookspath|path)[ \t]*=[ \t]*"?([^"\n]+?)"?[ \t]*$/gim

/** The places of hooks and of further settings that the settings of a repository name, wherever these are. */
function namedIn(repository: string): readonly string[] {
  const from = { hookspath: dirname(repository), path: repository }
  return [...textOf(`${repository}/config`).matchAll(named)].flatMap(([, key = '', value = '']) =>
    value.startsWith('~') ? [] : [resolve(key.toLowerCase() === 'path' ? from.path : from.hookspath, value)],
  )
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Where there are none, none are named.
    return ''
  }
}
