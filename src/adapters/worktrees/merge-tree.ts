import type { WorktreeFile } from '../../protocol/work/worktree.ts'
import { git, tryGit, type GitPlace } from './git.ts'
import { stateOfTree } from './tree-state.ts'

/** The outcome of a merge. */
export type Merged =
  | { readonly merged: true; readonly commits: number }
  | { readonly merged: false; readonly reason: string; readonly conflicts: readonly string[] }

/**
 * Takes the work of a tree over into the branch that is checked out in the repository: what is not committed yet is
 * committed on the member's branch, under the name git knows for this person. A merge that conflicts is undone.
 */
export async function mergeTree(file: WorktreeFile, env: GitPlace['env']): Promise<Merged> {
  const main = { cwd: file.repository, env }
  const own = { cwd: file.tree, env }
  const { dirty } = await stateOfTree(file, env)
  if (dirty > 0) {
    await git(own, 'add', '--all')
    await git(own, 'commit', '--quiet', '-m', `Work of ${file.member} in ${file.run}`)
  }
  const tip = await git(own, 'rev-parse', 'HEAD')
  const commits = Number(await git(main, 'rev-list', '--count', `HEAD..${tip}`))
  const text = `Merge the work of ${file.member} in ${file.run}`
  const end = await tryGit(main, 'merge', '--quiet', '--no-ff', '-m', text, tip)
  if (end.code === 0) return { merged: true, commits }
  const conflicts = await git(main, 'diff', '--name-only', '--diff-filter=U')
  await tryGit(main, 'merge', '--abort')
  return {
    merged: false,
    reason: end.error === '' ? end.out.trim() : end.error,
    conflicts: conflicts === '' ? [] : conflicts.split('\n'),
  }
}
