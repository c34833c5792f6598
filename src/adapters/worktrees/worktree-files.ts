import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { worktreeFileSchema, type WorktreeFile } from '../../protocol/work/worktree.ts'
import { errorCode } from '../fs/error-code.ts'
import { isInside } from '../../rules/paths/path-inside.ts'
import { parseJson } from '../fs/parse-json.ts'
import { replaceFile } from '../fs/replace-file.ts'

/** Where the working trees of a directory's runs lie: `<cwd>/.troupe/worktrees`. */
export function worktreesRoot(cwd: string): string {
  return join(cwd, '.troupe', 'worktrees')
}

/** Where the tree of one member lies. */
export function treePath(root: string, run: string, member: string): string {
  return join(root, run, member)
}

/** Says what a tree is; before it is made, so that a kill leaves nothing that nobody knows of. */
export function writeWorktree(file: WorktreeFile): void {
  mkdirSync(dirname(file.tree), { recursive: true, mode: 0o700 })
  replaceFile(`${file.tree}.json`, `${JSON.stringify(file, null, 2)}\n`)
}

/**
 * The description of a tree; null when there is none or its file cannot be read. A file that came with a foreign
 * repository must not lead git elsewhere: the file is believed only as far as its place bears it out.
 */
export function readWorktree(tree: string): WorktreeFile | null {
  try {
    const parsed = worktreeFileSchema.safeParse(parseJson(readFileSync(`${tree}.json`, 'utf8')))
    return parsed.success && isOf(tree, parsed.data) ? parsed.data : null
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return null
  }
}

function isOf(path: string, { run, member, tree, repository, branch }: WorktreeFile): boolean {
  const folder = realpathSync.native(dirname(path))
  return (
    run === basename(dirname(path)) &&
    member === basename(path) &&
    member === basename(tree) &&
    realpathSync.native(dirname(tree)) === folder &&
    isInside(realpathSync.native(repository), folder) &&
    branch.startsWith(`troupe/${run}/${member}/`) &&
    lstatSync(tree, { throwIfNoEntry: false })?.isSymbolicLink() !== true
  )
}

/** Forgets a tree that is no more. */
export function forgetWorktree(tree: string): void {
  rmSync(`${tree}.json`, { force: true })
  try {
    rmdirSync(dirname(tree))
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    // Other members of the run have trees.
  }
}

/** The trees of all runs, by run and member; what cannot be read is passed over. */
export function listWorktrees(root: string): readonly WorktreeFile[] {
  return namesIn(root).flatMap((run) =>
    namesIn(join(root, run)).flatMap((name) =>
      name.endsWith('.json') && !name.startsWith('.') ? (readWorktree(join(root, run, name.slice(0, -5))) ?? []) : [],
    ),
  )
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}
