import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { tryGit } from './git.ts'
import type { GitPlace } from './git-process.ts'

/** Git's answers inside a directory. */
export interface TreeWords {
  /** The top of the tree that the directory is in. */
  readonly tree: string
  /** The git directory that all trees of the repository share. */
  readonly git: string
  /** The checked out branch; null when none is. */
  readonly branch: string | null
}

/** Asks git, inside the directory, which tree and branch this is; a string is the reason why it cannot tell. */
export async function treeAt(place: GitPlace): Promise<TreeWords | string> {
  const said = await tryGit(place, 'rev-parse', '--show-toplevel', '--git-common-dir')
  if (said.code !== 0) return said.error
  const [tree = '', git = ''] = said.out.split('\n')
  const branch = await tryGit(place, 'symbolic-ref', '--quiet', '--short', 'HEAD')
  return {
    tree: realpathSync.native(tree),
    git: realpathSync.native(resolve(place.cwd, git)),
    branch: branch.code === 0 ? branch.out.trim() : null,
  }
}

/**
 * Looks from inside whether a directory lies in the tree, the repository and the branch that were meant.
 * @returns why not, or null when it does
 * @example await treeFlaw({ cwd: tree, env }, { tree, git: '/home/ann/shop/.git', branch: 'troupe/shop-01J…/ana/1' })
 */
export async function treeFlaw(place: GitPlace, wanted: TreeWords): Promise<string | null> {
  const found = await treeAt(place).catch((error: unknown) => String(error))
  if (typeof found === 'string') return found
  if (found.tree !== realpathSync.native(wanted.tree))
    return `${place.cwd} lies in the tree ${found.tree}, not in ${wanted.tree}`
  if (found.git !== realpathSync.native(wanted.git)) return `${found.tree} belongs to the repository ${found.git}`
  if (found.branch !== wanted.branch)
    return `${found.tree} is on ${found.branch ?? 'no branch'}, not on ${wanted.branch ?? 'none'}`
  return null
}
