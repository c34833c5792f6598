import { resolveFrom } from './path-inside.ts'
import { placeNamed } from './named-place.ts'

/** Settings that name a program which git starts while it only reads, or another file with settings; or let git fetch what it lacks. */
const starting =
  /^(core\.(fsmonitor|pager|alternaterefscommand)|pager\..+|diff\.external|diff\..+\.(command|textconv)|merge\..+\.driver|filter\..+\.(clean|smudge|process)|gpg\.(.+\.)?program|log\.showsignature|format\.pretty|pretty\..+|diff\.submodule|extensions\.partialclone|remote\..+\.(promisor|partialclonefilter)|(man|browser)\..+\.(cmd|path)|(help|web)\.browser|include(if\..+)?\.path)$/s

/** Values that start no program of the repository. */
const harmless: readonly (readonly [RegExp, RegExp])[] = [
  [/^core\.fsmonitor$/, /^(true|false|yes|no|on|off|\d+)$/i],
  [/pager(\.|$)/, /^(true|false|less|more|cat)( -\w+)*$/],
  [/^log\.showsignature$/, /^(false|no|off|0)$/i],
  [/^diff\.submodule$/, /^(log|short)$/],
  [/^(format\.)?pretty(\.|$)/, /^(?!.*%[-+ ]?G)/s],
  [/^filter\.lfs\./, /^(git-lfs (clean|smudge) -- %f|git-lfs filter-process)$/],
  [/^remote\..+\.promisor$/s, /^false$/],
]

type Setting = readonly [key: string, value: string]

const section = /^\[\s*([\w.-]+)(?:\s+"((?:\\.|[^"\\])*)")?\s*\](.*)$/s
const entry = /^([A-Za-z][\w-]*)\s*(?:=(.*))?$/s

/**
 * The settings in a repository's own file.
 *
 * @param text the file, as git reads it (git-config(1), "Configuration file")
 * @returns null where it has a line that cannot be read with certainty
 * @example settingsIn('[diff]\n\texternal = ./x\n') // [['diff.external', './x']]
 */
export function settingsIn(text: string): readonly Setting[] | null {
  // A comment ends with its line, whatever stands there; in quotes a sign begins none.
  if (text.split(/\r?\n/).some((line) => line.endsWith('\\') && /[#;]/.test(line))) return null
  const found: Setting[] = []
  let within = ''
  for (const line of text.replaceAll(/(?<!\\)((?:\\\\)*)\\\r?\n/g, '$1').split(/\r?\n/)) {
    const [, name, part, behind = line] = section.exec(line.trim()) ?? []
    if (name !== undefined) within = `${name.toLowerCase()}.${part === undefined ? '' : `${part}.`}`
    const rest = behind.trim()
    if (rest === '' || /^[#;]/.test(rest)) continue
    const [, key, value = 'true'] = entry.exec(rest) ?? []
    if (key === undefined) return null
    found.push([`${within}${key.toLowerCase()}`, value.replace(/(?<!\s)\s+[#;].*$/, '').trim()])
  }
  return found
}

/** `startsProgram(['diff.external', './x'])`: git may start a program, or read other settings, while it only reads. */
export function startsProgram([key, value]: Setting): boolean {
  return starting.test(key) && value !== '' && !harmless.some(([keys, values]) => keys.test(key) && values.test(value))
}

/** The files around a repository, as far as they can be looked at. */
export interface SettingsDisk {
  /** The text of a plain file; null where it is too long, or none. */
  text(path: string): string | null
  kindAt(path: string): 'file' | 'directory' | 'link' | undefined
  /** All that lies below a directory; null where that is too much. */
  below(directory: string, except: readonly string[]): readonly string[] | null
  /** The places of other repositories that the index in a directory of git names; null where nobody can say. */
  readonly gitLinks?: ((directory: string) => readonly string[] | null) | undefined
}

/** Directories of git without settings of a submodule. */
const stores = ['objects', 'refs', 'logs', 'hooks', 'lfs']

/**
 * Says whether git may start a program while it only reads in a repository, as the repository's own settings say, those of its
 * submodules, of other repositories that its index names, and of the one whose worktree it is. Settings that nobody can read may.
 *
 * @param root the directory that holds `.git`
 */
export function mayStartPrograms(root: string, disk: SettingsDisk): boolean {
  const dir = gitDirectory(root, disk)
  const shared = dir === null ? null : placeIn(dir, 'commondir', { disk, start: '' })
  if (dir === null || shared === null) return true
  // Git goes on to the repository around one that has no HEAD.
  if (disk.kindAt(`${dir}/HEAD`) === undefined) return true
  const modules = disk.below(`${shared}/modules`, stores)
  if (modules === null) return true
  if (disk.kindAt(`${shared}/hooks/${indexHook}`) !== undefined) return true
  if (entersArmed(root, dir, disk)) return true
  const ofModules = modules.filter((path) => /\/config(\.worktree)?$/.test(path))
  return [`${shared}/config`, `${dir}/config.worktree`, ...ofModules].some((path) => {
    if (disk.kindAt(path) === undefined) return false
    const text = disk.text(path)
    const settings = text === null ? null : settingsIn(text)
    return settings === null || settings.some((each) => startsProgram(each) || startsHook(each, root, disk))
  })
}

/** Git goes into each repository that the index names, where its files are there. */
function entersArmed(root: string, dir: string, disk: SettingsDisk): boolean {
  const links = disk.gitLinks?.(dir) ?? (disk.gitLinks === undefined ? [] : null)
  if (links === null) return true
  const inner = links.map((name) => `${root}/${name}`)
  return inner.some((at) => disk.kindAt(`${at}/.git`) !== undefined && mayStartPrograms(at, disk))
}

/** Git runs this one also when a look at the files shows that its index is out of date. */
const indexHook = 'post-index-change'

function startsHook([key, value]: Setting, root: string, disk: SettingsDisk): boolean {
  if (key !== 'core.hookspath') return false
  return /^["~%]/.test(value) || disk.kindAt(`${resolveFrom(root, root, value)}/${indexHook}`) !== undefined
}

/**
 * The directory from which git takes hooks, where the settings of a repository name one (core.hooksPath); null where they name
 * none, or cannot be read.
 */
export function hooksPlace(root: string, home: string, disk: SettingsDisk): string | null {
  const dir = gitDirectory(root, disk)
  const shared = dir === null ? null : placeIn(dir, 'commondir', { disk, start: '' })
  const text = shared === null ? null : disk.text(`${shared}/config`)
  const settings = text === null ? null : settingsIn(text)
  const value = settings?.findLast(([key]) => key === 'core.hookspath')?.[1].replaceAll('"', '') ?? ''
  return value === '' ? null : resolveFrom(root, home, value)
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
