import { copyFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { git, tryGit } from './git.ts'
import { embeddedPaths } from './inner-repositories.ts'
import type { GitPlace } from './git-process.ts'

/** Commits what no commit of a working tree has, under the name that git knows for this person. */
export async function commitAll(place: GitPlace, text: string): Promise<void> {
  await addAll(place, await isSparse(place))
  await git(place, 'commit', '--quiet', '-m', text)
}

/** The content of a working tree as a git tree, through an index of its own: the member's index stays as it is. */
export async function snapshot(place: GitPlace, index: string): Promise<string> {
  const scratch = { ...place, index }
  const sparse = await isSparse(place)
  try {
    // Only the member's index says which files a sparse tree leaves out; without a commit there is nothing to read.
    if (sparse) copyFileSync(resolve(place.cwd, await git(place, 'rev-parse', '--git-path', 'index')), index)
    else await tryGit(scratch, 'read-tree', 'HEAD')
    await addAll(scratch, sparse)
    return await git(scratch, 'write-tree')
  } finally {
    rmSync(index, { force: true })
  }
}

/** Repositories of their own are kept for themselves. */
async function addAll(place: GitPlace, sparse: boolean): Promise<void> {
  const except = (await embeddedPaths(place)).map((path) => `:(exclude,top,literal)${path}`)
  await git(place, 'add', '--all', ...(sparse ? ['--sparse'] : []), '--', '.', ...except)
}

async function isSparse(place: GitPlace): Promise<boolean> {
  const { out } = await tryGit(place, 'config', '--type=bool', 'core.sparseCheckout')
  return out.trim() === 'true'
}
