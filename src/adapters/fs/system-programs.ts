import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { isInside } from '../../rules/paths/path-inside.ts'

/*
 * Finds the programs that Troupe starts for itself: git, the sandbox, tmux.
 * 1. None lies in a place where agents write: the directory of this process, one that a call is about, and the checkouts around
 *    both. A `bin/git` of the project is no program for Troupe, wherever the PATH has it.
 * 2. A directory that the PATH names by a relative path, or by none, is any directory: it counts as such a place.
 */

type Env = Readonly<Record<string, string | undefined>>

/** Directories for programs where the PATH has no other. */
const usual = '/usr/bin:/bin'

/**
 * The PATH without the directories in which agents write.
 *
 * @param near directories that the call is about
 * @example systemPath('/repo/bin:/usr/bin', ['/repo/src']) // '/usr/bin'
 */
export function systemPath(path: string | undefined, near: readonly string[]): string {
  const written = [process.cwd(), ...near].flatMap(workTrees)
  const kept = (path ?? usual).split(':').filter((dir) => {
    const spots = isAbsolute(dir) ? [dir, realPlace(dir)] : []
    return spots.length > 0 && !spots.some((spot) => written.some((tree) => isInside(tree, spot)))
  })
  return kept.join(':') || usual
}

/** The environment with such a PATH: programs that the program starts are found there, too. */
export function systemEnv<E extends Env>(env: E, near: readonly string[]): E & { readonly PATH: string } {
  return { ...env, PATH: systemPath(env['PATH'], near) }
}

/** The programs of the system, as this process finds them. */
export interface SystemPrograms {
  /** The directories in which they are looked for. */
  readonly path: string
  /** The absolute path of one; a path at which nothing is where there is none. */
  find(name: string): string
}

/**
 * The programs of the system for calls that have no environment of their own.
 *
 * @param near directories that the call is about
 * @example systemPrograms(['/repo']).find('git') // '/usr/bin/git'
 */
export function systemPrograms(near: readonly string[]): SystemPrograms {
  const path = systemPath(process.env['PATH'], near)
  return { path, find: (name) => findProgram(name, path) ?? `/usr/bin/${name}` }
}

/** The first executable of that name on a search path, or null: `findProgram('git', env['PATH'])`. */
export function findProgram(name: string, path: string | undefined): string | null {
  const candidates = (path ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
  return candidates.find(isExecutable) ?? null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** A directory, the checkout around it, and the one around a linked worktree. */
function workTrees(dir: string): readonly string[] {
  const start = realPlace(dir)
  if (start === '/') return []
  const found = [start]
  for (let at = start; at !== '/'; at = dirname(at)) {
    const git = statSync(join(at, '.git'), { throwIfNoEntry: false })
    if (git === undefined) continue
    found.push(at)
    if (git.isDirectory()) break
  }
  return found
}

function realPlace(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
