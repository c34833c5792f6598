import { runGit, type GitEnd, type GitPlace } from './git-process.ts'
import { innerPrograms } from './inner-programs.ts'

/** Subcommands that read or write files of a tree, through the filters that its attributes name. */
const filtering = new Set(['add', 'diff', 'merge', 'reset', 'status', 'switch'])

/** Runs git without the filters that lie in the tree itself, and returns how it ended; nothing is thrown. */
export async function tryGit(place: GitPlace, ...args: readonly string[]): Promise<GitEnd> {
  const inner = filtering.has(args[0] ?? '') ? await innerPrograms(place) : []
  const off = inner.flatMap((key) =>
    key.startsWith('filter.') ? [`${key}=`, key.replace(/\w+$/, 'required=false')] : [],
  )
  return runGit(place, args, off)
}

/**
 * Runs git and returns what it printed, without the last line end.
 * @throws with git's own words when it fails
 * @example await git({ cwd: '/home/ann/shop', env }, 'rev-parse', 'HEAD')
 */
export async function git(place: GitPlace, ...args: readonly string[]): Promise<string> {
  const { code, out, error } = await tryGit(place, ...args)
  if (code === 0) return out.replace(/\n$/, '')
  throw new Error(`git ${args[0] ?? ''}: ${error === '' ? `it ended with code ${code}` : error}`)
}
