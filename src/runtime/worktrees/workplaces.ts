import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { treePath, worktreesRoot } from '../../adapters/worktrees/worktree-files.ts'
import type { MemberCard, ResolvedTeam } from '../../protocol/team/team-card.ts'

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
 * @example workplacesOf(team, { cwd: '/home/ann/shop', run: 'shop-01J…' })(card).cwd
 */
export function workplacesOf(
  team: ResolvedTeam,
  { cwd, run }: { readonly cwd: string; readonly run: string },
): (card: MemberCard) => Workplace {
  const shared: Workplace = { cwd, tree: null }
  if (team.members.every(({ isolation }) => isolation === 'none')) return () => shared
  const { repository, git, prefix } = repositoryAt(cwd)
  return ({ name, isolation }) => {
    if (isolation === 'none') return shared
    const top = treePath(worktreesRoot(cwd), run, name)
    return { cwd: prefix === '' ? top : join(top, prefix), tree: { top, main: cwd, repository, git } }
  }
}

/** Outside a repository nothing can be made: whoever tries to start the member says why. */
function repositoryAt(cwd: string): { readonly repository: string; readonly git: string; readonly prefix: string } {
  try {
    const said = execFileSync('git', ['rev-parse', '--show-toplevel', '--git-common-dir', '--show-prefix'], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [repository = '', git = '', prefix = ''] = said.split('\n')
    return { repository, git: realpathSync(resolve(cwd, git)), prefix: prefix.replace(/\/$/, '') }
  } catch {
    return { repository: cwd, git: join(cwd, '.git'), prefix: '' }
  }
}
