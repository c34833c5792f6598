import { errorText } from '../../../protocol/words/error-text.ts'
import {
  archiveLeft,
  leftTrees,
  mergeLeft,
  removeLeft,
  TreeInUse,
  type LeftTree,
  type TreeOptions,
} from '../../../runtime/upkeep/tend-worktrees.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { noteTo, print, printJson, type Host, workingDirectory } from '../host/host.ts'
import { printList } from '../text/table.ts'
import type { RunChoice } from '../runs/run-choice.ts'
import { plainLine } from '../../text/terminal-text.ts'
import { UserError } from '../host/user-error.ts'

/** Lists the worktrees that runs of this directory left. */
export async function worktreesLs(options: RunChoice, host: Host): Promise<ExitCode> {
  const items = await leftTrees(placeOf(options, host))
  const head = ['WORKTREE', 'IN USE', 'UNCOMMITTED', 'UNMERGED', 'BRANCH']
  return printList({ items, head, row, none: 'No worktrees here.' }, options, host)
}

function row({ run, member, in_use, dirty, unmerged, branch }: LeftTree): readonly string[] {
  return [nameOf({ run, member }), in_use ? 'yes' : 'no', String(dirty), String(unmerged), branch]
}

export interface TreeAct {
  readonly act: 'merge' | 'archive' | 'rm'
  readonly names: readonly string[]
}

interface Outcome {
  readonly ok: boolean
  readonly said: object
  readonly text: string
}

/** Merges, archives or removes worktrees; stops at none of them, and fails when one could not be done. */
export async function worktreesAct({ act, names }: TreeAct, options: RunChoice, host: Host): Promise<ExitCode> {
  const place = placeOf(options, host)
  const trees = await leftTrees(place)
  const chosen = names.map((name) => treeNamed(trees, name))
  const outcomes: Outcome[] = []
  for (const tree of chosen) outcomes.push(await acts[act](tree, place).catch((error: unknown) => failed(tree, error)))
  const documents = outcomes.map(({ said }) => said)
  if (options.json) await printJson(host.stdout, documents)
  else for (const { ok, text } of outcomes) await print(ok ? host.stdout : host.stderr, `${plainLine(text)}\n`)
  return outcomes.every(({ ok }) => ok) ? exitCodes.done : exitCodes.failed
}

const acts: Readonly<Record<TreeAct['act'], (tree: LeftTree, place: TreeOptions) => Promise<Outcome>>> = {
  async merge(tree, place) {
    const merged = await mergeLeft(tree, place)
    const text = merged.merged
      ? `${nameOf(tree)}: ${merged.commits} commits merged, the worktree is removed`
      : `${nameOf(tree)}: not merged: ${merged.conflicts.length > 0 ? `conflicts in ${merged.conflicts.join(', ')}` : merged.reason}; merge ${tree.branch} yourself, then troupe worktrees rm`
    return { ok: merged.merged, said: { worktree: nameOf(tree), ...merged }, text }
  },
  async archive(tree, place) {
    const kept = await archiveLeft(tree, place)
    const text = kept
      ? `${nameOf(tree)}: kept as ${kept.ref} and in ${kept.bundle}`
      : `${nameOf(tree)}: nothing to keep`
    return { ok: true, said: { worktree: nameOf(tree), archived: kept }, text }
  },
  async rm(tree, place) {
    const kept = await removeLeft(tree, place)
    const text = `${nameOf(tree)}: removed${kept ? `; kept as ${kept.ref} and in ${kept.bundle}` : ''}`
    return { ok: true, said: { worktree: nameOf(tree), archived: kept }, text }
  },
}

function failed(tree: LeftTree, error: unknown): Outcome {
  const reason = errorText(error)
  const code = error instanceof TreeInUse ? 'in_use' : 'failed'
  return { ok: false, said: { worktree: nameOf(tree), error: { code, reason } }, text: `${nameOf(tree)}: ${reason}` }
}

function nameOf({ run, member }: Pick<LeftTree, 'run' | 'member'>): string {
  return `${run}/${member}`
}

function treeNamed(trees: readonly LeftTree[], name: string): LeftTree {
  const found = trees.filter((tree) => nameOf(tree) === name || tree.member === name)
  const [only] = found
  if (only && found.length === 1) return only
  const known = (found.length > 0 ? found : trees).map(nameOf).join(', ')
  throw new UserError(
    found.length > 1
      ? `"${name}" is the name of several worktrees; say which: ${known}`
      : `there is no worktree "${name}"; there are: ${known === '' ? 'none' : known}`,
  )
}

function placeOf({ cwd }: RunChoice, host: Host): TreeOptions {
  return { cwd: workingDirectory(cwd, host), env: host.env, onNote: noteTo(host) }
}
