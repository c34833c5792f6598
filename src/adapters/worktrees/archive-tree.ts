import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { WorktreeFile } from '../../protocol/work/worktree.ts'
import { git, tryGit, type GitPlace } from './git.ts'
import { branchesOf, stateOfTree } from './tree-state.ts'
import { forgetWorktree } from './worktree-files.ts'

/** Where the work of a tree is kept when the tree is not. */
export interface Archived {
  /** `refs/troupe/archive/<run>/<member>/<n>` */
  readonly ref: string
  /** The same as a file that any clone of the repository can fetch from. */
  readonly bundle: string
}

/**
 * Keeps everything a tree holds beyond the repository: uncommitted and untracked files as a commit on top of its head, and
 * the commits of all its lives, under one ref and in one bundle file. Files that git ignores are not kept. The tree stays
 * as it is.
 * @returns null when there is nothing to keep
 * @example const kept = await archiveTree(file, env); kept?.ref
 */
export async function archiveTree(file: WorktreeFile, env: GitPlace['env']): Promise<Archived | null> {
  const { dirty, unmerged } = await stateOfTree(file, env)
  if (dirty === 0 && unmerged === 0) return null
  const place = { cwd: file.repository, env }
  const commit = await wholeWork(file, env)
  const n = await nextNumber(file, env)
  const ref = `refs/troupe/archive/${file.run}/${file.member}/${n}`
  await git(place, 'update-ref', ref, commit, '')
  const bundle = join(dirname(dirname(file.tree)), 'archive', `${file.run}-${file.member}-${n}.bundle`)
  mkdirSync(dirname(bundle), { recursive: true, mode: 0o700 })
  await git(place, 'bundle', 'create', '--quiet', bundle, ref, '--not', file.base)
  await git(place, 'bundle', 'verify', '--quiet', bundle)
  return { ref, bundle }
}

/** One commit from which all of it can be reached. */
async function wholeWork(file: WorktreeFile, env: GitPlace['env']): Promise<string> {
  const place = { cwd: file.repository, env }
  const branches = await branchesOf(file, env)
  const lives = await Promise.all(branches.map((branch) => git(place, 'rev-parse', branch)))
  const parents = existsSync(file.tree) ? [await git({ cwd: file.tree, env }, 'rev-parse', 'HEAD'), ...lives] : lives
  const tree = existsSync(file.tree)
    ? await contentOf(file, env)
    : await git(place, 'rev-parse', `${lives.at(-1)}^{tree}`)
  const text = `What ${file.member} of ${file.run} left in its worktree`
  const from = [...new Set(parents)].flatMap((parent) => ['-p', parent])
  return git(place, ...identity, 'commit-tree', tree, ...from, '-m', text)
}

/** Nobody's work is signed with a person's name. */
const identity = ['-c', 'user.name=troupe', '-c', 'user.email=troupe@localhost'] as const

/** The content of the working tree as a git tree, through an index of its own: the member's index stays as it is. */
async function contentOf({ tree, run, member }: WorktreeFile, env: GitPlace['env']): Promise<string> {
  const index = join(dirname(tree), `.${run}-${member}.index`)
  const place = { cwd: tree, env, index }
  try {
    await git(place, 'read-tree', 'HEAD')
    await git(place, 'add', '--all')
    return await git(place, 'write-tree')
  } finally {
    rmSync(index, { force: true })
  }
}

async function nextNumber({ repository, run, member }: WorktreeFile, env: GitPlace['env']): Promise<number> {
  const place = { cwd: repository, env }
  for (let n = 1; ; n += 1) {
    const known = await tryGit(place, 'rev-parse', '--verify', '--quiet', `refs/troupe/archive/${run}/${member}/${n}`)
    if (known.code !== 0) return n
  }
}

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
