import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { WorktreeFile } from '../../protocol/work/worktree.ts'
import { git, tryGit } from './git.ts'
import {
  commitsOnlyIn,
  innerRepositories,
  knownElsewhere,
  placeInMain,
  tipsOf,
  uncommitted,
  type InnerRepository,
} from './inner-repositories.ts'
import type { GitPlace } from './git-process.ts'
import { snapshot } from './tree-content.ts'
import { branchesOf, stateOfTree } from './tree-state.ts'
import { forgetWorktree } from './worktree-files.ts'

/** Where the work of a tree is kept when the tree is not. */
export interface Archived {
  /** `refs/troupe/archive/<run>/<member>/<n>` */
  readonly ref: string
  /** The same as a file that any clone of the repository can fetch from. */
  readonly bundle: string
  /** The work in submodules and other repositories inside the tree. */
  readonly inner: readonly KeptInner[]
}

export interface KeptInner {
  readonly name: string
  /** The name of the ref in the main repository's submodule; null where that is not checked out. */
  readonly ref: string | null
  readonly bundle: string
}

/**
 * Keeps everything a tree holds beyond the repository: uncommitted and untracked files as a commit on top of its head, and
 * the commits of all its lives, under one ref and in one bundle file; the same of each repository inside it. Files that git
 * ignores are not kept. The tree stays as it is.
 * @returns null when there is nothing to keep
 * @example const kept = await archiveTree(file, env); kept?.ref
 */
export async function archiveTree(file: WorktreeFile, env: GitPlace['env']): Promise<Archived | null> {
  const { dirty, unmerged } = await stateOfTree(file, env)
  if (dirty === 0 && unmerged === 0) return null
  const place = { cwd: file.repository, env }
  const target = await nextTarget(file, env)
  const inner = await keepInner(file, target, env)
  const branches = await branchesOf(file, env)
  const lives = await Promise.all(branches.map((branch) => git(place, 'rev-parse', branch)))
  const isThere = existsSync(file.tree)
  const own = { cwd: file.tree, env }
  const parents = isThere ? [await git(own, 'rev-parse', 'HEAD'), ...lives] : lives
  const tree = isThere ? await snapshot(own, target.index) : await git(place, 'rev-parse', `${lives.at(-1)}^{tree}`)
  const commit = await wholeWork(place, { tree, parents, text: target.text })
  await git(place, 'update-ref', target.ref, commit, '')
  const bundle = `${target.bundle}.bundle`
  await bundleOf(place, { ref: target.ref, bundle, known: [`^${file.base}`] })
  return { ref: target.ref, bundle, inner }
}

/** The names under which the work of a tree is kept. */
interface Target {
  readonly ref: string
  /** Without its ending. */
  readonly bundle: string
  /** A scratch index. */
  readonly index: string
  readonly text: string
}

/** Carries what submodules hold into those of the main repository, and says where it is now. */
export async function carryInner(file: WorktreeFile, env: GitPlace['env']): Promise<readonly KeptInner[]> {
  return keepInner(file, await nextTarget(file, env), env)
}

async function keepInner(file: WorktreeFile, target: Target, env: GitPlace['env']): Promise<readonly KeptInner[]> {
  const kept: KeptInner[] = []
  for (const inner of await innerRepositories(file, env)) {
    const holds = (await uncommitted(inner)) > 0 || (await commitsOnlyIn(inner)).length > 0
    if (holds) kept.push(await keepOne(inner, target))
  }
  return kept
}

async function keepOne(inner: InnerRepository, { ref, index, text, ...target }: Target): Promise<KeptInner> {
  const { name, place, checkedOut } = inner
  const parents = await tipsOf(inner)
  const [head = ''] = parents
  const tree = checkedOut ? await snapshot(place, index) : await git(place, 'rev-parse', `${head}^{tree}`)
  const commit = await wholeWork(place, { tree, parents, text })
  await git(place, 'update-ref', ref, commit)
  const bundle = `${target.bundle}-${encodeURIComponent(name)}.bundle`
  await bundleOf(place, { ref, bundle, known: await knownElsewhere(inner) })
  const main = placeInMain(inner)
  if (main === null) return { name, ref: null, bundle }
  await git(main, 'bundle', 'unbundle', bundle)
  await git(main, 'update-ref', ref, commit)
  return { name, ref, bundle }
}

interface Work {
  readonly tree: string
  readonly parents: readonly string[]
  readonly text: string
}

/** One commit from which all of it can be reached. */
function wholeWork(place: GitPlace, { tree, parents, text }: Work): Promise<string> {
  const from = [...new Set(parents)].flatMap((parent) => ['-p', parent])
  return git({ ...place, env: { ...place.env, ...nobody } }, 'commit-tree', tree, ...from, '-m', text)
}

/** Nobody's work is signed with a person's name. */
const nobody = {
  GIT_AUTHOR_NAME: 'troupe',
  GIT_AUTHOR_EMAIL: 'troupe@localhost',
  GIT_COMMITTER_NAME: 'troupe',
  GIT_COMMITTER_EMAIL: 'troupe@localhost',
}

interface Bundle {
  readonly ref: string
  readonly bundle: string
  /** The commits that whoever fetches from it has. */
  readonly known: readonly string[]
}

async function bundleOf(place: GitPlace, { ref, bundle, known }: Bundle): Promise<void> {
  mkdirSync(dirname(bundle), { recursive: true, mode: 0o700 })
  const input = [ref, ...known].join('\n')
  await git({ ...place, input }, 'bundle', 'create', '--quiet', bundle, '--ignore-missing', '--stdin')
  await git(place, 'bundle', 'verify', '--quiet', bundle)
}

async function nextTarget({ repository, tree, run, member }: WorktreeFile, env: GitPlace['env']): Promise<Target> {
  const folder = dirname(dirname(tree))
  for (let n = 1; ; n += 1) {
    const ref = `refs/troupe/archive/${run}/${member}/${n}`
    const known = await tryGit({ cwd: repository, env }, 'rev-parse', '--verify', '--quiet', ref)
    if (known.code === 0) continue
    return {
      ref,
      bundle: join(folder, 'archive', `${run}-${member}-${n}`),
      index: join(dirname(tree), `.${member}.index`),
      text: `What ${member} of ${run} left in its worktree`,
    }
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
