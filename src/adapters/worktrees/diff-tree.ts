import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { WorktreeFile } from '../../protocol/work/worktree.ts'
import { git } from './git.ts'
import { gitBytes, type GitPlace } from './git-process.ts'
import { snapshot } from './tree-content.ts'

/** The changes of a tree since the commit that it began from. */
export interface TreeDiff {
  readonly base: string
  readonly files: readonly ChangedFile[]
  /** In git's format, as `git apply` takes it, whatever the files hold; empty without a change. */
  readonly patch: Buffer
}

export interface ChangedFile {
  readonly path: string
  /** Lines; null for a file that is no text. */
  readonly added: number | null
  readonly deleted: number | null
}

const steady = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--submodule=short']
const applicable = ['--binary', '--src-prefix=a/', '--dst-prefix=b/']

/** Compares everything in a tree, committed or not, with its base; somebody may be working in it. */
export async function diffTree(file: WorktreeFile, env: GitPlace['env']): Promise<TreeDiff> {
  const { base, branch, repository, tree, member } = file
  const index = join(dirname(tree), `.${member}.${process.pid}.index`)
  const now = existsSync(tree) ? await snapshot({ cwd: tree, env }, index) : `${branch}^{tree}`
  const place = { cwd: repository, env }
  const counts = await git(place, 'diff', ...steady, '--numstat', '-z', base, now)
  const files = counts.split('\0').flatMap((line) => {
    const [added = '', deleted = '', ...path] = line.split('\t')
    return path.length === 0 ? [] : [{ path: path.join('\t'), added: linesOf(added), deleted: linesOf(deleted) }]
  })
  const patch = await gitBytes(place, ['diff', ...steady, ...applicable, base, now])
  if (files.length > 0 && patch.length === 0)
    throw new Error(`git diff gave no patch of ${files.length} changed files: they may be too large`)
  return { base, files, patch }
}

function linesOf(count: string): number | null {
  return count === '-' ? null : Number(count)
}
