import { spawnSync } from 'node:child_process'
import { basename, dirname, join, resolve } from 'node:path'
import { systemPrograms } from '../fs/system-programs.ts'
import { isInside } from '../../rules/paths/path-inside.ts'
import { placeNamed } from '../../rules/paths/named-place.ts'
import { namesRemote, pathOfRemote, settingThatRuns } from '../../rules/sandbox/git-leftovers.ts'
import { entries, resolveReal } from '../fs/resolve-real.ts'
import { isAstray, type Leaving } from './leaving.ts'
import { isThere, linkStatOrNull, realPlace, statOrNull, plainFileText } from './look-at.ts'

const alternates = 'objects/info/alternates'
/** Folders of a repository in which files say what runs. */
const folders = ['hooks', 'remotes', 'branches']
/** The parts of a repository that can arm it: "git init" keeps them where it makes a repository of the place. */
export const armingParts: readonly string[] = ['config', 'config.worktree', 'commondir', alternates, ...folders]

/** The part of a new repository that may run a program, or may come to; null when none does. */
export function armed(repository: string, isKnown: (path: string) => boolean, leaving: Leaving): string | null {
  for (const name of armingParts) {
    const stat = linkStatOrNull(join(repository, name))
    if (stat === null || (folders.includes(name) && stat.isDirectory())) continue
    // A file with a second name can be changed under that name.
    if (!stat.isFile() || stat.nlink > 1) return name
  }
  for (const name of ['config', 'config.worktree']) {
    const setting = runningSetting(join(repository, name), leaving)
    if (setting !== undefined) return setting
  }
  // Older ways to name other repositories.
  for (const name of ['remotes', 'branches']) if (entries(join(repository, name))?.length) return name
  if (lendsAstray(join(repository, alternates), leaving)) return alternates
  for (const { name } of entries(join(repository, 'hooks')) ?? []) {
    const stat = linkStatOrNull(join(repository, 'hooks', name))
    if (stat === null || name.endsWith('.sample') || stat.isDirectory()) continue
    if (!stat.isFile() || stat.nlink > 1 || (stat.mode & 0o111) !== 0) return `hooks/${name}`
  }
  if (!isThere(join(repository, 'commondir'))) return null
  const place = placeNamed(plainFileText(join(repository, 'commondir')) ?? '', '')
  const real = typeof place === 'string' ? realPlace(resolve(repository, place)) : null
  // A repository is looked at itself.
  const isLookedAt = real !== null && (isKnown(real) || leaving.after.repositories.includes(real))
  return isLookedAt && !isThere(join(real, 'commondir')) ? null : 'commondir'
}

/** The first setting in a file that may run something; the file itself where git cannot read it. */
function runningSetting(file: string, leaving: Leaving): string | undefined {
  if (!isThere(file)) return undefined
  const settings = settingsOf(file, '--list')?.map((setting) => /^([^\n]*)\n?(.*)$/s.exec(setting) ?? [])
  if (settings === undefined) return basename(file)
  const stray = settings.find(([, key = '', value = '']) => namesRemote(key) && straysTo(value, leaving))
  return stray?.[1] ?? settingThatRuns(settings.map(([, key = '']) => key))
}

/** Git counts from the top of the worktree in which it is called: a way up may begin anywhere. */
function straysTo(address: string, leaving: Leaving): boolean {
  const place = pathOfRemote(address)
  if (place === undefined) return false
  if (place === null) return true
  const rest = place.replace(/^(?:\.{1,2}\/)+/, '')
  const starts = leaving.watched.flatMap((dir) => [dir, ...above(resolveReal(dir))])
  return starts.some((dir) => isAstray(join(dir, 'x'), rest, leaving))
}

function above(path: string): readonly string[] {
  return path === dirname(path) ? [] : [dirname(path), ...above(dirname(path))]
}

/** Whether objects come from where commands write and nobody looks; git takes signs out of a line with a quotation mark. */
function lendsAstray(file: string, leaving: Leaving): boolean {
  if ((statOrNull(file)?.size ?? 0) === 0) return false
  const lines = plainFileText(file)?.split('\n') ?? ['"']
  const objects = dirname(dirname(file))
  return lines.some((line) => line.startsWith('"') || isAstray(objects, resolve(objects, line), leaving))
}

/** Settings of a file, each with a line end before the value; null where git cannot read them. */
export function settingsOf(file: string, ...wanted: readonly string[]): readonly string[] | null {
  if (statOrNull(file)?.isFile() !== true) return null
  const args = ['config', '--file', file, '--null', ...wanted]
  // Git reads the settings of a repository around it as well: there is none around the root.
  const { status, stdout } = spawnSync(systemPrograms([dirname(file)]).find('git'), args, {
    cwd: '/',
    encoding: 'utf8',
    timeout: 10_000,
  })
  const values = stdout.split('\0').filter((key) => key !== '')
  // One says that nothing has this name.
  return status === 0 || (status === 1 && values.length === 0) ? values : null
}

/** Why a new file or link `.git` may not stay; null where it may. */
export function strayingGitFile(path: string, isKnown: (path: string) => boolean, { watched }: Leaving): string | null {
  const stat = linkStatOrNull(path)
  if (stat === null) return null
  if (!stat.isFile() || stat.nlink > 1) return 'text'
  const text = plainFileText(path)
  if (text === null) return stat.size === 0 ? null : 'text'
  const place = placeNamed(text, 'gitdir: ')
  if (place === undefined) return null
  if (place === null) return 'text'
  const real = realPlace(resolve(dirname(path), place))
  return real !== null && (isKnown(real) || watched.some((dir) => isInside(resolveReal(dir), real))) ? null : 'place'
}
