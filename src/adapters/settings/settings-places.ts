import { existsSync, lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { permissionSources, type FileSource, type PermissionSource } from '../../protocol/permissions/permission.ts'
import type { SettingsPlace } from '../../protocol/permissions/settings.ts'
import { isInside } from '../../rules/paths/path-inside.ts'
import { errorCode } from '../fs/error-code.ts'
import { namesIn } from '../fs/names-in.ts'

/** Where settings are looked for. */
export interface SettingsScope {
  /** Where the team works; absolute. */
  readonly cwd: string
  readonly home: string
  /** The directory of the managed policy; absolute. It is handed in: nothing that an agent can set names it. */
  readonly policyRoot: string
}

/**
 * Every place where settings may lie, there or not, the strongest source first: the managed policy, the project, the
 * person's own file in the project, the person's own file at home. A project reaches from the directory that holds `.git`
 * down to the working directory; without one it is the working directory alone.
 *
 * @example settingsPlaces({ cwd: '/home/ann/shop', home: '/home/ann', policyRoot: '/etc/troupe' })
 */
export function settingsPlaces(scope: SettingsScope): readonly SettingsPlace[] {
  const { cwd, home, policyRoot } = scope
  const folders = projectFolders(cwd, home)
  const inProject = (source: FileSource, name: string): SettingsPlace[] =>
    folders.flatMap((root) =>
      ['.troupe', '.claude'].map((folder) =>
        placeOf({ source, path: join(root, folder, name), root, foreign: folder === '.claude' }, scope),
      ),
    )
  const places: Readonly<Record<FileSource, readonly SettingsPlace[]>> = {
    policy: [
      ...policyFiles(policyRoot).map((path) =>
        placeOf({ source: 'policy', path, root: policyRoot, foreign: false }, scope),
      ),
      ...managedFiles(policyRoot).map((path) =>
        placeOf({ source: 'policy', path, root: dirname(path), foreign: true }, scope),
      ),
    ],
    project: inProject('project', 'settings.json'),
    local: inProject('local', 'settings.local.json'),
    user: ['.troupe', '.claude'].map((folder) => {
      const root = join(home, folder)
      return placeOf({ source: 'user', path: join(root, 'settings.json'), root, foreign: folder === '.claude' }, scope)
    }),
  }
  const bySource: Partial<Record<PermissionSource, readonly SettingsPlace[]>> = places
  return permissionSources.flatMap((source) => bySource[source] ?? [])
}

/** The directories of a project, from its root down to the working directory. */
export function projectFolders(cwd: string, home: string): readonly string[] {
  const folders: string[] = []
  // A repository that is the home directory itself (kept dotfiles) makes nobody's project of everything below it.
  for (let folder = cwd; folder === cwd || folder !== home; folder = dirname(folder)) {
    folders.unshift(folder)
    if (existsSync(join(folder, '.git'))) return folders
    if (dirname(folder) === folder) break
  }
  return [cwd]
}

/** Only what is surely not there is absent; a file in a closed directory is one that cannot be read. */
export function mayExist(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    return errorCode(error) !== 'ENOTDIR'
  }
}

function policyFiles(policyRoot: string): readonly string[] {
  const more = join(policyRoot, 'policy.d')
  return [join(policyRoot, 'policy.json'), ...jsonNames(more).map((name) => join(more, name))]
}

/** Settings that an administrator wrote for Claude Code, beside the managed policy. */
function managedFiles(policyRoot: string): readonly string[] {
  const root = join(dirname(policyRoot), 'claude-code')
  const more = join(root, 'managed-settings.d')
  return [join(root, 'managed-settings.json'), ...jsonNames(more).map((name) => join(more, name))]
}

/**
 * @throws when the directory is there and cannot be listed: what the policy says is then unknown
 */
function jsonNames(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .toSorted()
}

function placeOf(place: Omit<SettingsPlace, 'shown'>, { cwd, home }: SettingsScope): SettingsPlace {
  return { ...place, shown: shownPath(place.path, cwd, home) }
}

function shownPath(path: string, cwd: string, home: string): string {
  if (isInside(cwd, path)) return path.slice(cwd.length + 1)
  return isInside(home, path) ? `~${path.slice(home.length)}` : path
}
