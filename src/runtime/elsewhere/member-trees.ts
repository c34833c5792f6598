import { existsSync } from 'node:fs'
import { openTree } from '../../adapters/worktrees/open-tree.ts'
import { removeTree } from '../../adapters/worktrees/archive-tree.ts'
import { stateOfTree } from '../../adapters/worktrees/tree-state.ts'
import { readWorktree } from '../../adapters/worktrees/worktree-files.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import type { TreeState, WorktreeFile } from '../../protocol/work/worktree.ts'
import type { RunContext } from '../context/run-context.ts'

/** The worktrees of the members of a run, as its leader keeps them. */
export interface MemberTrees {
  /**
   * Makes the tree of a member whose next life begins, or gives its present one to that life. Nothing for a member
   * without one.
   * @throws with the reason; the life must not begin then
   */
  open(member: string, life: number): Promise<void>
  /** Removes the trees that hold nothing of their own, and says what the others hold. Nobody works in them any more. */
  close(): Promise<void>
}

/** One tree is made at a time: git's own files are shared by all. */
export function memberTrees(
  context: OpenedTrees,
  isolated: readonly MemberCard[],
  record: (facts: readonly Fact[]) => void,
): MemberTrees {
  let last: Promise<unknown> = Promise.resolve()
  return {
    open(member, life) {
      const card = isolated.find(({ name }) => name === member)
      if (!card) return Promise.resolve()
      const opened = last.then(() => openFor(context, card, life)).then((fact) => record([fact]))
      last = opened.catch(() => undefined)
      return opened
    },
    async close() {
      for (const card of isolated) {
        const file = readWorktree(context.workplace(card).tree?.top ?? '')
        if (file) record(await closeTree(file, context.ownEnv))
      }
    },
  }
}

type OpenedTrees = Pick<RunContext, 'cwd' | 'run' | 'clock' | 'ownEnv' | 'workplace'>

async function openFor({ cwd, run, clock, ownEnv, workplace }: OpenedTrees, card: MemberCard, life: number) {
  const { name: member } = card
  const file = await openTree({ cwd, run: run.id, member, life, now: clock.now(), env: ownEnv })
  const place = workplace(card).cwd
  if (!existsSync(place)) throw new Error(`${place} is in no commit: commit the directory, or run the team elsewhere`)
  const { tree, branch, base } = file
  return { type: 'worktree.opened', member, tree, branch, base } as const
}

/** Removes a tree that holds nothing of its own; nobody works in it any more. */
export async function closeTree(file: WorktreeFile, env: RunContext['ownEnv']): Promise<readonly Fact[]> {
  try {
    const state = await stateOfTree(file, env)
    if (holdsNothing(state)) await removeTree(file, env)
    return [closing(file, state)]
  } catch (error) {
    const message = `the worktree of ${file.member} stays as it is: ${errorText(error)}`
    return [{ type: 'warning.raised', code: 'worktree', message }]
  }
}

function closing({ member, tree, branch }: WorktreeFile, state: TreeState): Fact {
  return { type: 'worktree.closed', member, tree, branch, kept: !holdsNothing(state), ...state }
}

function holdsNothing({ dirty, unmerged }: TreeState): boolean {
  return dirty === 0 && unmerged === 0
}
