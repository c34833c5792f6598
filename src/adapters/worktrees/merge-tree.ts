import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { WorktreeFile } from '../../protocol/work/worktree.ts'
import { carryInner, type KeptInner } from './archive-tree.ts'
import { git, tryGit } from './git.ts'
import type { GitPlace } from './git-process.ts'
import { hooksAmong, innerPrograms } from './inner-programs.ts'
import { changedFiles, commitsOnlyIn, innerRepositories, uncommitted } from './inner-repositories.ts'
import { commitAll } from './tree-content.ts'
import { treeAt } from './verify-tree.ts'

/** The outcome of a merge. */
export type Merged = TakenOver | NotMerged

export interface TakenOver {
  readonly merged: true
  readonly commits: number
  /** Submodules whose commits the repository's own submodules have now. */
  readonly inner: readonly KeptInner[]
  /** The hooks of the repository that were not run. */
  readonly skipped: readonly string[]
}

export interface NotMerged {
  readonly merged: false
  readonly reason: string
  readonly conflicts: readonly string[]
}

const hooks = `pre-commit prepare-commit-msg commit-msg post-commit pre-merge-commit post-merge`.split(' ')

/**
 * Takes the work of a tree over into the branch that is checked out in the repository: what is not committed yet is
 * committed on the member's branch, under the name git knows for this person. Nothing begins while the repository or the
 * tree is in the middle of something, and a merge that conflicts is undone.
 */
export async function mergeTree(file: WorktreeFile, env: GitPlace['env']): Promise<Merged> {
  const main = { cwd: file.repository, env }
  const own = { cwd: file.tree, env }
  const reason = await obstacle(file, env)
  if (reason !== null) return { merged: false, reason, conflicts: [] }
  const text = `Work of ${file.member} in ${file.run}`
  // A submodule's commit is a part of what is around it.
  for (const inner of (await innerRepositories(file, env)).toReversed()) {
    if ((await uncommitted(inner)) > 0) await commitAll(inner.place, text)
  }
  if ((await changedFiles(own)) > 0) await commitAll(own, text)
  const inner = await carryInner(file, env)
  const tip = await git(own, 'rev-parse', 'HEAD')
  const ahead = async (): Promise<number> => Number(await git(main, 'rev-list', '--count', `HEAD..${tip}`))
  const commits = await ahead()
  const options = ['--quiet', '--no-ff', '--commit', '--no-squash', '--no-autostash', '--no-edit']
  const end = await tryGit(main, 'merge', ...options, '-m', `Merge the work of ${file.member} in ${file.run}`, tip)
  if (end.code === 0 && (await ahead()) === 0)
    return { merged: true, commits, inner, skipped: await hooksAmong(main, hooks) }
  const conflicts = await git(main, 'diff', '--name-only', '--diff-filter=U')
  const begun = await tryGit(main, 'rev-parse', '--verify', '--quiet', 'MERGE_HEAD')
  if (begun.out.trim() === tip) await tryGit(main, 'merge', '--abort')
  return {
    merged: false,
    reason: end.error === '' ? end.out.trim() : end.error,
    conflicts: conflicts === '' ? [] : conflicts.split('\n'),
  }
}

/** Why a merge must not begin; null when it may. */
async function obstacle(file: WorktreeFile, env: GitPlace['env']): Promise<string | null> {
  const { tree, git: shared, repository } = file
  if (!existsSync(tree)) return `the tree is gone; its commits are on ${file.branch}`
  for (const cwd of [repository, tree]) {
    const found = await treeAt({ cwd, env })
    if (typeof found === 'string') return found
    if (found.tree !== realpathSync.native(cwd) || found.git !== shared)
      return `${cwd} is no longer a tree of the repository ${shared}`
    const going = await operationIn({ cwd, env })
    if (going !== null) return `${cwd} is in the middle of ${going}: finish or abort it first`
    const [program] = await innerPrograms({ cwd, env })
    if (program !== undefined) return `${program} runs a file of the repository, which the worker could have changed`
  }
  for (const inner of await innerRepositories(file, env)) {
    if (!inner.isSubmodule) return `${inner.name} is a repository of its own, which a merge does not carry`
    const holds = (await commitsOnlyIn(inner)).length + (await uncommitted(inner))
    if (inner.main === null && holds > 0)
      return `the work in ${inner.name} has no place in the repository: git submodule update --init ${inner.name} makes one`
  }
  return null
}

/** The files of git's directory that say what is going on. */
const operations: Readonly<Record<string, string>> = {
  MERGE_HEAD: 'a merge',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase or git am',
  sequencer: 'a cherry-pick or revert of several commits',
  BISECT_LOG: 'a bisect',
}

/** An operation of git that somebody has begun and not finished; null when there is none. */
async function operationIn(place: GitPlace): Promise<string | null> {
  const names = Object.keys(operations)
  const paths = await git(place, 'rev-parse', ...names.flatMap((name) => ['--git-path', name]))
  const found = paths.split('\n').findIndex((path) => existsSync(resolve(place.cwd, path)))
  const known = operations[names[found] ?? '']
  if (known !== undefined) return known
  return (await git(place, 'ls-files', '--unmerged')) === '' ? null : 'something that left unmerged files'
}
