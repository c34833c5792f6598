import { existsSync } from 'node:fs'
import type { TreeState, WorktreeFile } from '../../protocol/work/worktree.ts'
import { git, tryGit } from './git.ts'
import { changedFiles, commitsOnlyIn, innerRepositories, uncommitted } from './inner-repositories.ts'
import type { GitPlace } from './git-process.ts'

/** Work that would be lost if a tree and its branches were removed now, submodules included. */
export async function stateOfTree(file: WorktreeFile, env: GitPlace['env']): Promise<TreeState> {
  const state = {
    dirty: existsSync(file.tree) ? await changedFiles({ cwd: file.tree, env }) : 0,
    unmerged: (await unmergedCommits(file, env)).length,
  }
  for (const inner of await innerRepositories(file, env)) {
    state.dirty += await uncommitted(inner)
    state.unmerged += (await commitsOnlyIn(inner)).length
  }
  return state
}

/** Commits of the member's lives, or of a head that left them, that no other branch or tag of the repository has. */
export async function unmergedCommits(file: WorktreeFile, env: GitPlace['env']): Promise<readonly string[]> {
  const place = { cwd: file.repository, env }
  const own = await branchesOf(file, env)
  const heads = [...own, ...(await headOf(file, env))]
  if (heads.length === 0) return []
  const others = [`--exclude=${livesOf(file)}*`, '--branches', '--tags', '--remotes', file.base]
  const listed = await git(place, 'rev-list', ...heads, '--not', ...others)
  return listed === '' ? [] : listed.split('\n')
}

/** The branches of all lives of the member. */
export async function branchesOf(file: WorktreeFile, env: GitPlace['env']): Promise<readonly string[]> {
  const place = { cwd: file.repository, env }
  const said = await git(place, 'for-each-ref', '--format=%(refname)', `refs/heads/${livesOf(file)}`)
  return said === '' ? [] : said.split('\n')
}

/**
 * The branches, beside those of its lives, on which the member worked in its tree: they stay in the repository when the
 * tree goes.
 */
export async function branchesWorkedOn(file: WorktreeFile, env: GitPlace['env']): Promise<readonly string[]> {
  if (!existsSync(file.tree)) return []
  const { out: moves } = await tryGit({ cwd: file.tree, env }, 'log', '--walk-reflogs', '--format=%H %gs', 'HEAD')
  const format = '--format=%(objectname) %(refname:short) %(worktreepath)'
  const listed = await git(
    { cwd: file.repository, env },
    'for-each-ref',
    format,
    '--no-merged',
    file.base,
    'refs/heads',
  )
  return listed.split('\n').flatMap((line) => {
    const [tip = '', name = '', ...path] = line.split(' ')
    const elsewhere = path.join(' ') !== '' && path.join(' ') !== file.tree
    if (tip === '' || elsewhere || name.startsWith(livesOf(file))) return []
    return moves.includes(`${tip} `) || moves.includes(` to ${name}\n`) ? [name] : []
  })
}

/** The common beginning of the branches of a member's lives: `troupe/<run>/<member>/`. */
export function livesOf({ run, member }: WorktreeFile): string {
  return `troupe/${run}/${member}/`
}

async function headOf({ tree }: WorktreeFile, env: GitPlace['env']): Promise<readonly string[]> {
  if (!existsSync(tree)) return []
  const said = await tryGit({ cwd: tree, env }, 'rev-parse', '--verify', '--quiet', 'HEAD')
  return said.code === 0 ? [said.out.trim()] : []
}
