import { tryGit, type GitPlace } from './git.ts'

/**
 * Why no worktree can be made of the repository around a place, or null: it needs a repository with files and a commit,
 * and room for branches below `troupe/`.
 * @example await repositoryFlaw({ cwd: '/home/ann/shop', env }) // null
 */
export async function repositoryFlaw(place: GitPlace): Promise<string | null> {
  const found = await tryGit(place, 'rev-parse', '--show-toplevel', '--verify', 'HEAD^{commit}')
  if (found.code !== 0) return `isolation worktree needs a git repository with a commit in ${place.cwd}: ${found.error}`
  const taken = await tryGit(place, 'show-ref', '--verify', '--quiet', 'refs/heads/troupe')
  if (taken.code !== 0) return null
  return 'isolation worktree needs branches below troupe/, and there is a branch called troupe: rename it with git branch -m'
}
