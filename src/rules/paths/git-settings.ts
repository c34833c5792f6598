import { resolveFrom } from './path-inside.ts'
import { placeNamed } from './named-place.ts'

/** Settings that name a program which git starts while it only reads, or another file with settings. */
const starting =
  /^(core\.(fsmonitor|pager|sshcommand|gitproxy|askpass|alternaterefscommand)|pager\..+|diff\.external|diff\..+\.(command|textconv)|filter\..+\.(clean|smudge|process)|gpg\.(.+\.)?program|credential\.(.+\.)?helper|remote\..+\.(vcs|uploadpack)|include(if\..+)?\.path)$/s

/** Values that start no program of the repository: those of `git lfs install`, a yes or no, a number of seconds. */
const usual = /^(git-lfs (clean|smudge) -- %f|git-lfs filter-process|true|false|yes|no|on|off|\d+)?$/i

const section = /^\[\s*([\w.-]+)(?:\s+"((?:\\.|[^"\\])*)")?\s*\](.*)$/s
const entry = /^([A-Za-z][\w-]*)\s*(?:=(.*))?$/s

/**
 * The first setting in a repository's own file for which git starts a program while it only reads.
 *
 * @param text the file, as git reads it (git-config(1), "Configuration file")
 * @returns null where there is none; a line that cannot be read counts as one
 * @example settingThatStarts('[diff]\n\texternal = ./x\n') // 'diff.external'
 */
export function settingThatStarts(text: string): string | null {
  // A comment ends with its line, whatever stands there: such a text is read in two ways.
  const odd = /^.*[#;].*\\$/m.exec(text)?.[0]
  if (odd !== undefined) return odd
  let within = ''
  for (const line of text.replaceAll(/\\\r?\n/g, '').split(/\r?\n/)) {
    const [, name, part, behind = line] = section.exec(line.trim()) ?? []
    if (name !== undefined) within = `${name.toLowerCase()}.${part === undefined ? '' : `${part}.`}`
    const rest = behind.trim()
    if (rest === '' || /^[#;]/.test(rest)) continue
    const [, key, value = 'true'] = entry.exec(rest) ?? []
    if (key === undefined) return rest
    const setting = `${within}${key.toLowerCase()}`
    if (starting.test(setting) && !usual.test(value.replace(/\s[#;].*$/, '').trim())) return setting
  }
  return null
}

/** The files around a repository, as far as they can be looked at. */
export interface SettingsDisk {
  /** The text of a plain file; null where it is too long, or none. */
  text(path: string): string | null
  kindAt(path: string): 'file' | 'directory' | 'link' | undefined
  /** All that lies below a directory; null where that is too much. */
  below(directory: string, except: readonly string[]): readonly string[] | null
}

/** Directories of git without settings of a submodule. */
const stores = ['objects', 'refs', 'logs', 'hooks', 'lfs']

/**
 * Says whether git may start a program while it only reads in a repository, as the repository's own settings say, those of its
 * submodules, and of the one whose worktree it is. Settings that nobody can read may.
 *
 * @param root the directory that holds `.git`
 */
export function mayStartPrograms(root: string, disk: SettingsDisk): boolean {
  const dir = gitDirectory(root, disk)
  const shared = dir === null ? null : placeIn(dir, 'commondir', { disk, start: '' })
  if (dir === null || shared === null) return true
  const modules = disk.below(`${shared}/modules`, stores)
  if (modules === null) return true
  const files = [
    `${shared}/config`,
    `${dir}/config.worktree`,
    ...modules.filter((path) => /\/config(\.worktree)?$/.test(path)),
  ]
  return files.some((path) => {
    if (disk.kindAt(path) === undefined) return false
    const text = disk.text(path)
    return text === null || settingThatStarts(text) !== null
  })
}

function gitDirectory(root: string, disk: SettingsDisk): string | null {
  return disk.kindAt(`${root}/.git`) === 'directory'
    ? `${root}/.git`
    : placeIn(root, '.git', { disk, start: 'gitdir: ' })
}

/** The directory that a file names; the one that holds the file where there is no such file, null where nobody can say. */
function placeIn(
  dir: string,
  name: string,
  { disk, start }: { disk: SettingsDisk; start: '' | 'gitdir: ' },
): string | null {
  if (disk.kindAt(`${dir}/${name}`) === undefined) return dir
  const text = disk.text(`${dir}/${name}`)
  const place = text === null ? null : (placeNamed(text, start) ?? null)
  return place === null ? null : resolveFrom(dir, dir, place)
}
