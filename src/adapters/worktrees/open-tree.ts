import { existsSync, mkdirSync, realpathSync, rmSync, constants, lstatSync, readlinkSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { WorktreeFile } from '../../protocol/work/worktree.ts'
import { git, tryGit } from './git.ts'
import type { GitPlace } from './git-process.ts'
import { livesOf } from './tree-state.ts'
import { treeAt, treeFlaw } from './verify-tree.ts'
import { readWorktree, treePath, worktreesRoot, writeWorktree } from './worktree-files.ts'
import { copyFile, mkdir } from 'node:fs/promises'

/** The owner of a tree, and the life of the owner that begins. */
export interface TreeWish {
  /** The working directory of the run. */
  readonly cwd: string
  readonly run: string
  readonly member: string
  readonly life: number
  readonly now: number
  readonly env: GitPlace['env']
  /** Does what must not happen in two trees of the repository at once, one after another; at once without it. */
  readonly alone?: <Done>(act: () => Promise<Done>) => Promise<Done>
}

/**
 * Makes the working tree of a member, or goes on in the one that its last life left.
 * 1. Each life has a branch of its own; a later one begins where the last one stopped, uncommitted changes included.
 * 2. What it is stands in its file before it is made: a tree that a kill left half made is made again.
 * 3. It is looked at from inside before anybody works in it.
 * Nobody may be working in it: whoever calls has ended the last life.
 * @throws with git's reason; the member must not begin then
 * @example await openTree({ cwd: '/home/ann/shop', run: 'shop-01J…', member: 'ana', life: 1, now: clock.now(), env })
 */
export async function openTree(wish: TreeWish): Promise<WorktreeFile> {
  const { cwd, run, member, life, now, env, alone = (act) => act() } = wish
  const tree = treePath(worktreesRoot(cwd), run, member)
  const branch = `troupe/${run}/${member}/${life}`
  const before = readWorktree(tree)
  const begun = await alone(async () =>
    before?.ready === true && existsSync(tree)
      ? goOn({ ...before, branch }, before, env)
      : register(await newFile({ cwd, env }, { run, member, tree, branch, created: now, before }), env),
  )
  const file = begun.ready ? begun : await checkOut(begun, env)
  const flaw = await treeFlaw({ cwd: tree, env }, file)
  if (flaw !== null) throw new Error(`the worktree of ${member} is not what it should be: ${flaw}`)
  writeWorktree(file)
  return file
}

interface NewTree extends Pick<WorktreeFile, 'run' | 'member' | 'tree' | 'branch' | 'created'> {
  readonly before: WorktreeFile | null
}

async function newFile(place: GitPlace, { before, ...fresh }: NewTree): Promise<WorktreeFile> {
  const said = await tryGit(place, 'rev-parse', '--show-toplevel', '--git-common-dir', '--verify', 'HEAD^{commit}')
  if (said.code !== 0) {
    throw new Error(`isolation worktree needs a git repository with a commit in ${place.cwd}: ${said.error}`)
  }
  const [repository = '', common = '', head = ''] = said.out.split('\n')
  const shared = realpathSync.native(resolve(place.cwd, common))
  return { spec: 1, ...fresh, repository, git: shared, base: before?.base ?? head, ready: false }
}

/** Makes the tree without its files: git looks at all trees meanwhile, and fails over one that is half there. */
async function register(file: WorktreeFile, env: GitPlace['env']): Promise<WorktreeFile> {
  const place = { cwd: file.repository, env }
  const before = readWorktree(file.tree)
  // No member ever worked in a tree that was not ready.
  if (before?.ready === false) await discard(before, env)
  await tryGit(place, 'worktree', 'prune')
  writeWorktree(file)
  mkdirSync(dirname(file.tree), { recursive: true })
  const start = before?.ready === true ? await tipOf(place, before) : file.base
  await git(place, 'worktree', 'add', '--quiet', '--no-checkout', '-b', file.branch, file.tree, start)
  return file
}

async function checkOut(file: WorktreeFile, env: GitPlace['env']): Promise<WorktreeFile> {
  await git({ cwd: file.tree, env }, 'reset', '--quiet', '--hard')
  await copyIncluded({ cwd: file.repository, env }, file.tree)
  return { ...file, ready: true }
}

/** A tree that vanished left its commits on its branch. */
async function tipOf(place: GitPlace, { branch, base }: WorktreeFile): Promise<string> {
  const tip = await tryGit(place, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`)
  return tip.code === 0 ? tip.out.trim() : base
}

async function goOn(file: WorktreeFile, before: WorktreeFile, env: GitPlace['env']): Promise<WorktreeFile> {
  const place = { cwd: file.tree, env }
  const branch = await branchLeft(place, before)
  const flaw = await treeFlaw(place, { ...before, branch })
  if (flaw !== null) throw new Error(`the worktree of ${file.member} is not as its last life left it: ${flaw}`)
  if (file.branch === branch) return file
  const own = resolve(file.tree, await git(place, 'rev-parse', '--git-dir'))
  // A git command that was killed leaves its locks, and whoever could have held them is gone.
  for (const lock of ['index.lock', 'HEAD.lock']) rmSync(join(own, lock), { force: true })
  await git(place, 'switch', '--quiet', '--create', file.branch)
  return file
}

/** A kill may fall between the branch of a new life and the word of it: then the tree is a life further. */
async function branchLeft(place: GitPlace, before: WorktreeFile): Promise<string> {
  const found = await treeAt(place).catch(() => null)
  const branch = typeof found === 'object' ? found?.branch : null
  return branch?.startsWith(livesOf(before)) === true ? branch : before.branch
}

async function discard({ tree, repository, branch }: WorktreeFile, env: GitPlace['env']): Promise<void> {
  const place = { cwd: repository, env }
  await tryGit(place, 'worktree', 'remove', '--force', '--force', tree)
  rmSync(tree, { recursive: true, force: true })
  await tryGit(place, 'worktree', 'prune')
  await tryGit(place, 'branch', '--quiet', '-D', branch)
}

/** Lists in gitignore syntax which ignored files a new tree gets a copy of. */
const listName = '.worktreeinclude'

/**
 * Copies the ignored files that `.worktreeinclude` names from the repository into a tree. Only ignored ones: everything
 * else is git's. What is there already stays.
 * @returns the paths that were copied, relative to the top
 */
async function copyIncluded(place: GitPlace, tree: string): Promise<readonly string[]> {
  if (!existsSync(join(place.cwd, listName))) return []
  const named = await git(place, 'ls-files', '-z', '--others', '--ignored', `--exclude-from=${listName}`)
  if (named === '') return []
  const ignored = await tryGit({ ...place, input: named }, 'check-ignore', '-z', '--stdin')
  const paths = ignored.out.split('\0').filter((path) => path !== '' && !path.startsWith('.troupe/'))
  for (const path of paths) await copy(join(place.cwd, path), join(tree, path))
  return paths
}

async function copy(from: string, to: string): Promise<void> {
  if (lstatSync(to, { throwIfNoEntry: false })) return
  const kind = lstatSync(from)
  await mkdir(dirname(to), { recursive: true })
  if (kind.isSymbolicLink()) symlinkSync(readlinkSync(from), to)
  else if (kind.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
}
