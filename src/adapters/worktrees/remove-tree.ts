import { existsSync } from 'node:fs'
import type { WorktreeFile } from '../../protocol/work/worktree.ts'
import { archiveTree, type Archived } from './archive-tree.ts'
import { git, tryGit } from './git.ts'
import type { GitPlace } from './git-process.ts'
import { branchesOf } from './tree-state.ts'
import { forgetWorktree } from './worktree-files.ts'

/**
 * Removes a tree and the branches of its lives; what only they hold is archived first. Nobody may be working in it.
 * @returns where it was kept, or null when there was nothing to keep
 */
export async function removeTree(file: WorktreeFile, env: GitPlace['env']): Promise<Archived | null> {
  const place = { cwd: file.repository, env }
  const kept = file.ready ? await archiveTree(file, env) : null
  if (existsSync(file.tree)) await git(place, 'worktree', 'remove', '--force', file.tree)
  await tryGit(place, 'worktree', 'prune')
  for (const branch of await branchesOf(file, env)) await git(place, 'update-ref', '-d', branch)
  forgetWorktree(file.tree)
  return kept
}
