import { join } from 'node:path'
import { archiveTree, type Archived, removeTree } from '../../adapters/worktrees/archive-tree.ts'
import { diffTree, type TreeDiff } from '../../adapters/worktrees/diff-tree.ts'
import { mergeTree, type NotMerged, type TakenOver } from '../../adapters/worktrees/merge-tree.ts'
import { branchesWorkedOn, stateOfTree } from '../../adapters/worktrees/tree-state.ts'
import { readJournal } from '../../adapters/sessions/read-journal.ts'
import { readRun } from '../../adapters/sessions/read-run.ts'
import { listWorktrees, worktreesRoot } from '../../adapters/worktrees/worktree-files.ts'
import type { TreeState, WorktreeFile } from '../../protocol/work/worktree.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import { livingHolder, livingLeader } from '../runs/leader.ts'
import { endOf, journalFile, runsRoot } from '../runs/read-runs.ts'
import { stopOf } from '../runs/stop-file.ts'
import { watchRuns, type Say } from '../runs/take-over.ts'

/** A worktree that a member left, or works in. */
export interface LeftTree extends WorktreeFile, TreeState {
  /** True while its member can work in it: until the member was stopped for good, or the run is over. */
  readonly in_use: boolean
}

type Env = Readonly<Record<string, string | undefined>>

/** Where trees lie, and with which environment git is asked. */
export interface TreeOptions {
  readonly cwd: string
  readonly env: Env
  /** Hears why it takes time. */
  readonly onNote?: Say
}

/** The worktrees of all runs of a directory, and what would be lost with each. */
export async function leftTrees({ cwd, env, onNote }: TreeOptions): Promise<readonly LeftTree[]> {
  const found = listWorktrees(worktreesRoot(cwd))
  const runs = new Set(found.map(({ run }) => join(runsRoot(cwd), run)))
  await watchRuns([...runs], onNote)
  return Promise.all(
    found.map(async (file) => {
      const state = file.ready ? await stateOfTree(file, env) : { dirty: 0, unmerged: 0 }
      return { ...file, ...state, in_use: isInUse(cwd, file) }
    }),
  )
}

function isInUse(cwd: string, { run, member }: WorktreeFile): boolean {
  const dir = join(runsRoot(cwd), run)
  if (livingHolder(dir, member) !== null) return true
  if (livingLeader(dir) !== null) return !isStopped(dir, member)
  return readRun(dir).run !== null && endOf(dir) === null && stopOf(dir) === null
}

/** Whether a person stopped the member for good, and nobody started it again. */
function isStopped(dir: string, member: string): boolean {
  const { entries } = readJournal(journalFile(dir, leaderName))
  const latest = entries.findLast(
    (entry) => (entry.type === 'member.stopped' || entry.type === 'member.spawned') && entry.member === member,
  )
  return latest?.type === 'member.stopped'
}

/** A tree that must be left alone. */
export class TreeInUse extends Error {
  override readonly name = 'TreeInUse'

  constructor({ run, member }: WorktreeFile) {
    super(
      `the worktree of ${member} is in use: ${run} goes on, or was interrupted and can be resumed; troupe stop ${run} ends it, troupe stop ${member}@${run} that member alone`,
    )
  }
}

/** The remains of a tree that was removed. */
export interface Left {
  readonly archived: Archived | null
  /** Branches of the member's own making. */
  readonly branches: readonly string[]
}

/**
 * Takes the work of a tree over into the checked out branch, and removes the tree when that went well.
 * @throws TreeInUse; git's words when a commit cannot be made
 */
export async function mergeLeft(tree: LeftTree, options: TreeOptions): Promise<NotMerged | (TakenOver & Left)> {
  if (tree.in_use) throw new TreeInUse(tree)
  const merged = await mergeTree(tree, options.env)
  return merged.merged ? { ...merged, ...(await removeLeft(tree, options)) } : merged
}

/** The changes of a tree since its base; a member may be working in it. */
export function diffLeft(tree: LeftTree, { env }: TreeOptions): Promise<TreeDiff> {
  return diffTree(tree, env)
}

/** Keeps what a tree holds under a ref and in a bundle; the tree stays. Null when it holds nothing. */
export async function archiveLeft(tree: LeftTree, { env }: TreeOptions): Promise<Archived | null> {
  if (tree.in_use) throw new TreeInUse(tree)
  return archiveTree(tree, env)
}

/** Removes a tree; what only it holds is archived first. */
export async function removeLeft(tree: LeftTree, { env }: TreeOptions): Promise<Left> {
  if (tree.in_use) throw new TreeInUse(tree)
  const branches = await branchesWorkedOn(tree, env)
  return { archived: await removeTree(tree, env), branches }
}
