import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { tryGit } from '../../adapters/worktrees/git.ts'
import type { GitPlace } from '../../adapters/worktrees/git-process.ts'
import { treePath, worktreesRoot } from '../../adapters/worktrees/worktree-files.ts'
import type { MemberCard, ResolvedTeam } from '../../protocol/team/team-card.ts'
import { NoPlace } from '../runs/no-place.ts'

/** Where a member works. */
export interface Workplace {
  readonly cwd: string
  /** The git worktree that the directory is in; null for a member that shares the run's directory. */
  readonly tree: OwnTree | null
}

export interface OwnTree {
  /** The top of the tree. */
  readonly top: string
  /** The working directory of the run, and the top of its repository. */
  readonly main: string
  readonly repository: string
  /** The git directory that all trees of the repository share. */
  readonly git: string
}

/**
 * Where the members of a run work. It says where a tree will be, made or not: nobody works there before it was made and
 * looked at.
 * @throws NoPlace when no tree can be made for a member that wants one
 * @example (await workplacesOf(team, { cwd: '/home/ann/shop', run: 'shop-01J…', env }))(card).cwd
 */
export async function workplacesOf(
  team: ResolvedTeam,
  { run, ...place }: GitPlace & { readonly run: string },
): Promise<(card: MemberCard) => Workplace> {
  const { cwd } = place
  const shared: Workplace = { cwd, tree: null }
  const isolated = team.members.find(({ isolation }) => isolation === 'worktree')
  if (!isolated) return () => shared
  const found = await repositoryAt(place)
  if (typeof found === 'string') throw new NoPlace(`${isolated.name} wants a git worktree (isolation): ${found}`)
  const { repository, git, prefix } = found
  return ({ name, isolation }) => {
    if (isolation === 'none') return shared
    const top = treePath(worktreesRoot(cwd), run, name)
    return { cwd: prefix === '' ? top : join(top, prefix), tree: { top, main: cwd, repository, git } }
  }
}

interface Repository {
  readonly repository: string
  readonly git: string
  readonly prefix: string
}

/** The repository in which trees can be made, or why none can. */
async function repositoryAt(place: GitPlace): Promise<Repository | string> {
  const { cwd } = place
  const said = await tryGit(place, 'rev-parse', '--show-toplevel', '--git-common-dir', '--show-prefix')
  if (said.code !== 0) return `${cwd} is in no working tree of a repository: ${said.error}`
  const [repository = '', git = '', prefix = ''] = said.out.split('\n')
  const names = (await tryGit(place, 'for-each-ref', '--format=%(refname)', 'refs/heads/troupe')).out.split('\n')
  if (names.includes('refs/heads/troupe'))
    return 'the branch "troupe" stands in the way of the branches troupe/…: rename it with git branch -m troupe'
  const head = await tryGit(place, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
  if (head.code !== 0) return `${cwd} has no commit: make one`
  const here = await tryGit(place, 'cat-file', '-e', `HEAD:${prefix}`)
  if (here.code !== 0) return `${cwd} is in no commit: commit the directory, or run the team elsewhere`
  return { repository, git: realpathSync.native(resolve(cwd, git)), prefix: prefix.replace(/\/$/, '') }
}
