import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { contentHash } from '../../adapters/fs/content-hash.ts'
import { readJournal } from '../../adapters/sessions/read-journal.ts'
import { readRun, unreadableRun } from '../../adapters/sessions/read-run.ts'
import { runDirectory } from '../../adapters/sessions/run-directory.ts'
import { restoreFile } from '../../adapters/tools/changes/restore-file.ts'
import { git, tryGit } from '../../adapters/worktrees/git.ts'
import type { GitPlace } from '../../adapters/worktrees/git-process.ts'
import { mergeJournals } from '../../projections/fold/merge.ts'
import { statesAt } from '../../projections/team/states-at.ts'
import { isInside } from '../../rules/paths/path-inside.ts'
import { ownPlace } from '../actors/own-place.ts'
import { journalFile } from '../runs/read-runs.ts'
import { NotForkable } from './fork-run.ts'

/** A working tree for a fork. */
export interface ForkTree {
  /** The directory of the tree in which the run works. */
  readonly cwd: string
  readonly tree: string
  readonly branch: string
  /** Files that may differ from what they were at the entry, and why. */
  readonly doubts: readonly string[]
}

/** Where a run is forked into a tree of its own. */
export interface ForkTreeOptions {
  /** The id of the last entry that both runs share. */
  readonly at: string
  /** Where the tree is made; default: beside the repository, named by it and the entry. Absolute. */
  readonly tree?: string
  readonly env?: GitPlace['env']
}

/**
 * Makes a git worktree in which the files are as they were at an entry of a run: those of the run's directory now, uncommitted ones
 * included, without what its members changed since. What git ignores is left out.
 *
 * @param dir the run directory
 * @throws NotForkable without a repository, where the tree exists, or when the entry is not there
 * @example
 * const { cwd } = await openForkTree(dir, { at: 'lead-17' })
 * await resumeTeam(forkRun(dir, { at: 'lead-17', cwd }))
 */
export async function openForkTree(dir: string, options: ForkTreeOptions): Promise<ForkTree> {
  const { run: file, journals } = readRun(dir)
  if (!file) throw new NotForkable(unreadableRun(dir))
  const { at, env = ownPlace.env } = options
  const read = journals.map((owner) => readJournal(journalFile(dir, owner)).entries.map((entry) => ({ owner, entry })))
  const merged = mergeJournals(read)
  const cut = merged.findIndex(({ entry }) => entry.id === at)
  if (cut === -1) throw new NotForkable(`${basename(dir)} has no entry "${at}"`)
  const top = await tryGit({ cwd: file.cwd, env }, 'rev-parse', '--show-toplevel', '--verify', 'HEAD^{commit}')
  if (top.code !== 0)
    throw new NotForkable(`a worktree needs a git repository with a commit in ${file.cwd}: ${top.error}`)
  const [repository = ''] = top.out.split('\n')
  const name = `${basename(repository)}-${at}`
  const { tree = join(dirname(repository), name) } = options
  if (existsSync(tree)) throw new NotForkable(`${tree} is there already: name another place for the worktree`)
  const branch = `troupe/fork/${basename(dir)}/${at}`
  const made = await tryGit({ cwd: repository, env }, 'worktree', 'add', '--quiet', '-b', branch, tree, 'HEAD')
  if (made.code !== 0) throw new NotForkable(`the worktree could not be made: ${made.error}`)
  await copyUncommitted({ cwd: repository, env }, tree)
  const { files, doubts } = statesAt(merged, cut)
  const { artifacts } = runDirectory(dir, file.team)
  const lost: string[] = []
  for (const [path, wanted] of files) {
    if (!isInside(repository, path) || isInside(join(repository, '.troupe'), path)) continue
    if (wanted !== null && !isKept(join(artifacts, wanted.sha256), wanted.sha256)) lost.push(path)
    else restoreFile(join(tree, relative(repository, path)), wanted, artifacts)
  }
  const cwd = join(tree, relative(repository, file.cwd))
  mkdirSync(cwd, { recursive: true })
  return { cwd, tree, branch, doubts: [...doubts, ...lost.map((path) => `${path}: its old content was not kept`)] }
}

function isKept(file: string, sha256: string): boolean {
  return existsSync(file) && contentHash(readFileSync(file)) === sha256
}

/** Copies what the repository's directory has that its commit does not, and takes away what it has no more. */
async function copyUncommitted(place: GitPlace, tree: string): Promise<void> {
  const changed = await git(place, 'diff', '--name-only', '-z', 'HEAD')
  const added = await git(place, 'ls-files', '-z', '--others', '--exclude-standard')
  for (const path of new Set(`${changed}\0${added}`.split('\0'))) {
    if (path === '' || path.startsWith('.troupe/')) continue
    const [from, to] = [join(place.cwd, path), join(tree, path)]
    const there = lstatSync(from, { throwIfNoEntry: false })
    rmSync(to, { recursive: true, force: true })
    if (there === undefined) continue
    await mkdir(dirname(to), { recursive: true })
    if (there.isSymbolicLink()) symlinkSync(readlinkSync(from), to)
    else if (there.isFile()) await copyFile(from, to)
  }
}
