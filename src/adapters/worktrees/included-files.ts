import { constants, existsSync, lstatSync, readlinkSync, symlinkSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { git, tryGit } from './git.ts'
import type { GitPlace } from './git-process.ts'

/** Lists in gitignore syntax which ignored files a new tree gets a copy of. */
const listName = '.worktreeinclude'

/**
 * Copies the ignored files that `.worktreeinclude` names from the repository into a tree. Only ignored ones: everything
 * else is git's. What is there already stays.
 * @returns the paths that were copied, relative to the top
 */
export async function copyIncluded(place: GitPlace, tree: string): Promise<readonly string[]> {
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
