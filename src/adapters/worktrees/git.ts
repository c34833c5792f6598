import { runGit, type GitEnd, type GitPlace } from './git-process.ts'
import { innerPrograms } from './inner-programs.ts'

/**
 * Subcommands that look at no file of a tree. All others may run the filters that its attributes name: also `write-tree`
 * reads a file again when its date says nothing.
 */
const unfiltered = new Set(
  'branch bundle cat-file check-ignore commit-tree config for-each-ref log ls-files rev-list rev-parse symbolic-ref update-ref'.split(
    ' ',
  ),
)

/** Runs git without the filters that lie in the tree itself, and returns how it ended; nothing is thrown. */
export async function tryGit(place: GitPlace, ...args: readonly string[]): Promise<GitEnd> {
  const inner = unfiltered.has(args[0] ?? '') ? [] : await innerPrograms(place)
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
