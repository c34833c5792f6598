import { existsSync } from 'node:fs'
import type { TreeState, WorktreeFile } from '../../protocol/work/worktree.ts'
import { git, tryGit, type GitPlace } from './git.ts'

/** Work that would be lost if a tree and its branches were removed now. */
export async function stateOfTree(file: WorktreeFile, env: GitPlace['env']): Promise<TreeState> {
  const dirty = existsSync(file.tree) ? await git({ cwd: file.tree, env }, 'status', '--porcelain', '-z') : ''
  return {
    dirty: dirty.split('\0').filter((line) => line !== '').length,
    unmerged: (await unmergedCommits(file, env)).length,
  }
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

/** The common beginning of the branches of a member's lives: `troupe/<run>/<member>/`. */
export function livesOf({ run, member }: WorktreeFile): string {
  return `troupe/${run}/${member}/`
}

async function headOf({ tree }: WorktreeFile, env: GitPlace['env']): Promise<readonly string[]> {
  if (!existsSync(tree)) return []
  const said = await tryGit({ cwd: tree, env }, 'rev-parse', '--verify', '--quiet', 'HEAD')
  return said.code === 0 ? [said.out.trim()] : []
}
