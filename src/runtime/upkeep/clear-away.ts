import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { closeServer } from '../../adapters/executors/tmux-server.ts'
import { errorCode } from '../../adapters/fs/error-code.ts'
import { readWorktree, treePath, worktreesRoot } from '../../adapters/worktrees/worktree-files.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { RunFile } from '../../protocol/team/run.ts'
import { tmuxSocket } from '../runs/place-members.ts'
import { closeTree } from '../elsewhere/member-trees.ts'
import { runsRoot } from '../runs/read-runs.ts'

/** A run that is over, and whose journal the caller owns meanwhile: nobody else leads it or cleans up. */
export interface OverRun {
  readonly dir: string
  readonly file: RunFile
  readonly env: Readonly<Record<string, string | undefined>>
  /** Writes to the team's journal. */
  record(facts: readonly Fact[]): void
}

/**
 * Does what a leader does last, in the place of one that could not: closes the tmux server of the panes, and removes the
 * worktrees that hold nothing of their own. None of its processes may live.
 * @returns what was done, in words
 */
export async function clearAway(over: OverRun): Promise<readonly string[]> {
  const { dir, file, env } = over
  // A copy of the directory speaks of things that belong to the original.
  if (!isAt(join(runsRoot(file.cwd), file.run), dir)) return []
  const panes = file.team.members.some(({ executor }) => executor === 'tmux')
  const closed = panes && (await closeServer(tmuxSocket(file.run), env))
  return [...(closed ? [`closed the tmux server that ${file.run} had left`] : []), ...(await closeTrees(over))]
}

async function closeTrees({ file, env, record }: OverRun): Promise<readonly string[]> {
  const { cwd, run, team } = file
  const said: string[] = []
  for (const { name, isolation } of team.members) {
    const tree = isolation === 'worktree' ? readWorktree(treePath(worktreesRoot(cwd), run, name)) : null
    const facts = tree === null ? [] : await closeTree(tree, env)
    record(facts)
    said.push(...facts.flatMap((fact) => wordsOf(fact, run)))
  }
  return said
}

function wordsOf(fact: Fact, run: string): readonly string[] {
  if (fact.type === 'warning.raised') return [`${run}: ${fact.message}`]
  if (fact.type !== 'worktree.closed') return []
  const { member, kept, dirty, unmerged, branches = [] } = fact
  const worked = branches.length === 0 ? '' : `; its work is on ${branches.join(', ')}`
  const whose = `the worktree of ${member} that ${run} had left`
  if (!kept) return [`removed ${whose}${worked}`]
  return [`${whose} holds work (uncommitted: ${dirty}, unmerged: ${unmerged}) and stays; see troupe worktrees`]
}

function isAt(expected: string, dir: string): boolean {
  try {
    return realpathSync.native(expected) === realpathSync.native(dir)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}
