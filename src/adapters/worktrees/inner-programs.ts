import { accessSync, constants, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isInside } from '../../rules/paths/path-inside.ts'
import { errorCode } from '../fs/error-code.ts'
import { runGit, type GitPlace } from './git-process.ts'

const programKeys = String.raw`^(filter\..*\.(clean|smudge|process)|merge\..*\.driver|gpg\.(.*\.)?program)$`

/**
 * The settings, such as `filter.notebooks.clean`, whose program members could have written: a file of the tree itself, or
 * anything that a repository inside the tree names.
 */
export async function innerPrograms(place: GitPlace): Promise<readonly string[]> {
  const { out } = await runGit(place, ['config', '--null', '--show-scope', '--get-regexp', programKeys])
  if (out === '') return []
  const top = (await runGit(place, ['rev-parse', '--show-toplevel'])).out.trim()
  const words = out.split('\0')
  return words.flatMap((entry, at) => {
    const [key = '', ...command] = entry.split('\n')
    const ownSetting = place.gitDir !== undefined && /^(local|worktree)$/.test(words[at - 1] ?? '')
    return at % 2 === 1 && isInner(top, command.join('\n'), ownSetting) ? [key] : []
  })
}

/** A bare first word is looked up on the search path; text that a shell works out may name any file. */
function isInner(top: string, command: string, ownSetting: boolean): boolean {
  if (/^git[- ]lfs [\w -]+(%f)?$/.test(command)) return false
  if (ownSetting || /[$`]/.test(command)) return true
  const [program = '', ...rest] = command.split(/[\s'"=;|&()<>]+/).filter((word) => word !== '')
  return [...(program.includes('/') ? [program] : []), ...rest].some((word) => {
    const path = resolve(top, word)
    return isInside(top, path) && path !== top && (existsSync(path) || existsSync(`${path}.py`))
  })
}

/** The hooks among these names that git would run in a tree by itself. */
export async function hooksAmong(place: GitPlace, names: readonly string[]): Promise<readonly string[]> {
  // The last value is the one that keeps hooks out.
  const set = await runGit(place, ['config', '--type=path', '--get-all', 'core.hooksPath'])
  const own = set.out.trimEnd().split('\n').at(-2)
  const top = await runGit(place, ['rev-parse', '--show-toplevel', '--git-common-dir'])
  const [tree = '', common = ''] = top.out.trimEnd().split('\n')
  const folder = own === undefined ? resolve(place.cwd, common, 'hooks') : resolve(tree, own)
  return names.filter((name) => isExecutable(join(folder, name)))
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}
