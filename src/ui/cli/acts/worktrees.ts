import { errorText } from '../../../protocol/words/error-text.ts'
import {
  archiveLeft,
  leftTrees,
  mergeLeft,
  removeLeft,
  TreeInUse,
  type Left,
  type LeftTree,
  type TreeOptions,
} from '../../../runtime/upkeep/tend-worktrees.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { noteTo, print, printJson, type Host, workingDirectory } from '../host/host.ts'
import { printList } from '../text/table.ts'
import { meantText, type RunChoice } from '../runs/run-choice.ts'
import { plainLine } from '../../text/plain-text.ts'
import { UserError } from '../host/user-error.ts'

/** Lists the worktrees that runs of this directory left. */
export async function worktreesLs(options: RunChoice, host: Host): Promise<ExitCode> {
  const items = await leftTrees(treesPlace(options, host))
  const head = ['WORKTREE', 'IN USE', 'UNCOMMITTED', 'UNMERGED', 'BRANCH']
  return printList({ items, head, row, none: 'No worktrees here.' }, options, host)
}

function row({ run, member, in_use, dirty, unmerged, branch }: LeftTree): readonly string[] {
  return [treeName({ run, member }), in_use ? 'yes' : 'no', String(dirty), String(unmerged), branch]
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
  const place = treesPlace(options, host)
  const trees = await leftTrees(place)
  const chosen = namedTrees(trees, names)
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
    const said = { worktree: treeName(tree), ...merged }
    if (!merged.merged) {
      const { conflicts, reason } = merged
      const why = conflicts.length > 0 ? `conflicts in ${conflicts.join(', ')}` : reason
      const cure = `merge ${tree.branch} yourself, then troupe worktrees rm`
      return { ok: false, said, text: `${treeName(tree)}: not merged: ${why}; ${cure}` }
    }
    const { commits, inner, skipped } = merged
    const submodules = inner.map(({ name }) => name).join(', ')
    const notes = [
      ...(submodules === '' ? [] : [`the commits in ${submodules} came along: git submodule update checks them out`]),
      ...(skipped.length === 0 ? [] : [`hooks that were not run: ${skipped.join(', ')}`]),
      ...notesOf(merged),
    ]
    return {
      ok: true,
      said,
      text: sentence(tree, `${commits} ${commits === 1 ? 'commit' : 'commits'} merged, the worktree is removed`, notes),
    }
  },
  async archive(tree, place) {
    const archived = await archiveLeft(tree, place)
    const text = archived ? notesOf({ archived, branches: [] }).join('; ') : 'nothing to keep'
    return { ok: true, said: { worktree: treeName(tree), archived }, text: sentence(tree, text, []) }
  },
  async rm(tree, place) {
    const left = await removeLeft(tree, place)
    return { ok: true, said: { worktree: treeName(tree), ...left }, text: sentence(tree, 'removed', notesOf(left)) }
  },
}

function sentence(tree: LeftTree, done: string, notes: readonly string[]): string {
  return `${treeName(tree)}: ${[done, ...notes].join('; ')}`
}

/** Where the work is that a tree has left behind. */
function notesOf({ archived, branches }: Left): readonly string[] {
  const inner = archived?.inner.map(({ name, bundle }) => `${name} in ${bundle}`) ?? []
  return [
    ...(archived ? [`kept as ${archived.ref} and in ${[archived.bundle, ...inner].join(', ')}`] : []),
    ...(branches.length === 0 ? [] : [`its member also worked on ${branches.join(', ')}, which stays`]),
  ]
}

function failed(tree: LeftTree, error: unknown): Outcome {
  const reason = errorText(error)
  const code = error instanceof TreeInUse ? 'in_use' : 'failed'
  return {
    ok: false,
    said: { worktree: treeName(tree), error: { code, reason } },
    text: `${treeName(tree)}: ${reason}`,
  }
}

/** `<run>/<member>` */
export function treeName({ run, member }: Pick<LeftTree, 'run' | 'member'>): string {
  return `${run}/${member}`
}

/**
 * The trees that names mean: a member's, or a run's and a member's.
 * @throws UserError for a name of none or of several
 */
export function namedTrees(trees: readonly LeftTree[], names: readonly string[]): readonly LeftTree[] {
  return names.map((name) => treeNamed(trees, name))
}

function treeNamed(trees: readonly LeftTree[], name: string): LeftTree {
  const found = trees.filter((tree) => treeName(tree) === name || tree.member === name)
  const [only] = found
  if (only && found.length === 1) return only
  const known = (found.length > 0 ? found : trees).map(treeName)
  if (found.length > 1)
    throw new UserError(`"${name}" is the name of several worktrees; say which: ${known.join(', ')}`)
  const meant = meantText(name, [...trees.map(({ member }) => member), ...known])
  throw new UserError(`there is no worktree "${name}"${meant}; there are: ${known.join(', ') || 'none'}`)
}

/** The directory whose trees are meant. */
export function treesPlace({ cwd }: RunChoice, host: Host): TreeOptions {
  return { cwd: workingDirectory(cwd, host), env: host.env, onNote: noteTo(host) }
}
