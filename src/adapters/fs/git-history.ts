import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { systemPrograms } from './system-programs.ts'

interface Known {
  readonly refs: string
  readonly paths: ReadonlySet<string> | null
}

/** Longer than this nobody waits for the names of a history. */
const longest = 1_500
const mostOutput = 32 * 1024 * 1024
const known = new Map<string, Known>()
/** No program that the repository names is run for this. */
const plain = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'log.showSignature=false',
  '-c',
  'core.pager=cat',
]

/**
 * The absolute paths of all files that the repository around a directory ever held; kept until its branches, its index or
 * its HEAD change.
 *
 * @returns null where there is no repository, or it cannot be read in time.
 * @example gitHistory('/repo/src')?.has('/repo/.env')
 */
export function gitHistory(directory: string): ReadonlySet<string> | null {
  const root = rootAbove(directory)
  if (root === null) return null
  const { own, shared } = directoriesOf(root)
  // Objects of others have no names here.
  if (statSync(join(shared, 'objects/info/alternates'), { throwIfNoEntry: false })?.size) return null
  const refs = refsOf(own, shared)
  const before = known.get(root)
  if (before !== undefined && before.refs === refs) return before.paths
  const paths = namesIn(root)
  known.set(root, { refs, paths })
  return paths
}

function rootAbove(directory: string): string | null {
  for (let at = directory; ; at = dirname(at)) {
    if (statSync(join(at, '.git'), { throwIfNoEntry: false }) !== undefined) return at
    if (at === dirname(at)) return null
  }
}

interface GitDirectories {
  readonly own: string
  /** The directory that a worktree shares with the repository that it belongs to. */
  readonly shared: string
}

function directoriesOf(root: string): GitDirectories {
  const own = namedIn(join(root, '.git'), /^gitdir: (.*)/, root) ?? join(root, '.git')
  return { own, shared: namedIn(join(own, 'commondir'), /^(.*)/, own) ?? own }
}

function namedIn(file: string, line: RegExp, from: string): string | undefined {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined
  const name = line.exec(readFileSync(file, 'utf8'))?.[1]
  return name === undefined ? undefined : resolve(from, name)
}

/** Changes with every commit, branch and added file. */
function refsOf(own: string, shared: string): string {
  const stamped = ['HEAD', 'index', 'logs/HEAD', 'FETCH_HEAD'].map((name) => join(own, name))
  const stamps = [...stamped, join(shared, 'packed-refs')].map((file) => {
    const found = statSync(file, { throwIfNoEntry: false })
    return found === undefined ? '' : `${found.mtimeMs}:${found.size}`
  })
  return [...stamps, ...heads(join(shared, 'refs'))].join(' ')
}

function heads(refs: string): readonly string[] {
  try {
    return readdirSync(refs, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  } catch {
    return []
  }
}

function namesIn(root: string): ReadonlySet<string> | null {
  const ever = ['log', '--all', '--reflog', '--format=', '--name-only', '--no-renames', '-m', '-z']
  const past = git(root, ever)
  const now = git(root, ['ls-files', '-z'])
  if (past === null || now === null) return null
  const names = `${past}\0${now}`.split(/[\0\n]/).filter((name) => name !== '')
  return new Set(names.map((name) => join(root, name)))
}

function git(root: string, args: readonly string[]): string | null {
  const options = { cwd: root, encoding: 'utf8', timeout: longest, maxBuffer: mostOutput } as const
  const end = spawnSync(systemPrograms([root]).find('git'), [...plain, '--no-pager', ...args], options)
  // A repository without a commit has no history.
  if (end.status === 0) return end.stdout
  return end.error === undefined && /does not have any commits|not a git repository/.test(end.stderr) ? '' : null
}
