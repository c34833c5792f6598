import { existsSync } from 'node:fs'
import { removeTree } from '../../adapters/worktrees/archive-tree.ts'
import { hooksAmong } from '../../adapters/worktrees/inner-programs.ts'
import { openTree, type TreeWish } from '../../adapters/worktrees/open-tree.ts'
import { branchesWorkedOn, stateOfTree } from '../../adapters/worktrees/tree-state.ts'
import { readWorktree } from '../../adapters/worktrees/worktree-files.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import type { TreeState, WorktreeFile } from '../../protocol/work/worktree.ts'
import type { HookAsk } from '../hooks/hook-place.ts'
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

/** Trees are filled side by side, and made known to git one at a time. */
export function memberTrees(
  context: OpenedTrees,
  isolated: readonly MemberCard[],
  { record, watch }: TreeTelling,
): MemberTrees {
  let isSaid = false
  let last: Promise<unknown> = Promise.resolve()
  const alone = <Done>(act: () => Promise<Done>): Promise<Done> => {
    const done = last.then(act)
    last = done.catch(() => undefined)
    return done
  }
  return {
    async open(member, life) {
      const card = isolated.find(({ name }) => name === member)
      if (!card) return
      if (watch !== null && !existsSync(context.workplace(card).tree?.top ?? '')) record(await askedFor(member, watch))
      const opened = await openFor(context, { card, life, alone })
      const hooks = isSaid ? [] : await hooksAmong({ cwd: context.cwd, env: context.ownEnv }, ['post-checkout'])
      record(isSaid || hooks.length === 0 ? [opened] : [opened, notRun(hooks)])
      isSaid = true
    },
    async close() {
      for (const card of isolated) {
        const file = readWorktree(context.workplace(card).tree?.top ?? '')
        if (file) record(await closeTree(file, context.ownEnv))
      }
    },
  }
}

/**
 * Asks the WorktreeCreate hooks whether a tree may be made. A tree that a hook made itself is not used: what members do in
 * theirs is merged by git.
 * @throws with the reason of a hook that fails, so that no life begins
 */
async function askedFor(member: string, { ask }: HookAsk): Promise<readonly Fact[]> {
  const { blocks, reason, own } = await ask({ event: 'WorktreeCreate', value: '', fields: { name: member } })
  if (blocks) throw new Error(`a WorktreeCreate hook does not let the tree be made: ${reason}`)
  const made = own?.worktreePath
  if (made === undefined) return []
  const message = `${member} works in a git worktree of Troupe: ${made}, which a WorktreeCreate hook made, is not used`
  return [{ type: 'warning.raised', code: 'worktree', message }]
}

function notRun(hooks: readonly string[]): Fact {
  const message = `hooks of the repository are not run in worktrees that Troupe makes: ${hooks.join(', ')}`
  return { type: 'warning.raised', code: 'worktree', message }
}

export interface TreeTelling {
  readonly record: (facts: readonly Fact[]) => void
  /** The hooks of the team; null where it has none. */
  readonly watch: HookAsk | null
}

type OpenedTrees = Pick<RunContext, 'cwd' | 'run' | 'clock' | 'ownEnv' | 'workplace'>

async function openFor(
  { cwd, run, clock, ownEnv, workplace }: OpenedTrees,
  { card, life, alone }: Required<Pick<TreeWish, 'life' | 'alone'>> & { readonly card: MemberCard },
) {
  const { name: member } = card
  const file = await openTree({ cwd, run: run.id, member, life, now: clock.now(), env: ownEnv, alone })
  const place = workplace(card).cwd
  if (!existsSync(place)) throw new Error(`${place} is in no commit: commit the directory, or run the team elsewhere`)
  const { tree, branch, base } = file
  return { type: 'worktree.opened', member, tree, branch, base } as const
}

/** Removes a tree that holds nothing of its own; nobody works in it any more. */
export async function closeTree(file: WorktreeFile, env: RunContext['ownEnv']): Promise<readonly Fact[]> {
  const { member, tree, branch } = file
  try {
    const state = await stateOfTree(file, env)
    const branches = await branchesWorkedOn(file, env)
    if (holdsNothing(state)) await removeTree(file, env)
    const said = branches.length === 0 ? {} : { branches: [...branches] }
    return [{ type: 'worktree.closed', member, tree, branch, kept: !holdsNothing(state), ...state, ...said }]
  } catch (error) {
    const message = `the worktree of ${member} stays as it is: ${errorText(error)}`
    return [{ type: 'warning.raised', code: 'worktree', message }]
  }
}

function holdsNothing({ dirty, unmerged }: TreeState): boolean {
  return dirty === 0 && unmerged === 0
}
