import type { Action, ActionPath } from './analyse.ts'

/**
 * Adds to the paths of an analysed action where they really lead, as whoever can look at the disk says it.
 *
 * @param real A path with symlinks followed; what it throws is thrown.
 * @example followPaths(analyse(request), (path) => path.replace('/repo/link', '/elsewhere'))
 */
export function followPaths(action: Action, real: (path: string) => string): Action {
  if (action.paths.length === 0) return action
  return { ...action, paths: action.paths.map((path) => followed(path, real)) }
}

/** Most paths lead where they say. */
function followed(entry: ActionPath, real: (path: string) => string): ActionPath {
  const end = real(entry.path)
  const path = entry.climbs === undefined ? entry : straightened(entry, real)
  return end === entry.path ? path : { ...path, resolved: end }
}

/** Without symlinks on its way up, a path leads where it looks. */
function straightened({ climbs = [], ...path }: ActionPath, real: (path: string) => string): ActionPath {
  return climbs.every((directory) => isItself(directory, real)) ? path : { ...path, climbs }
}

/** The directory is no symlink, whatever those above it are. */
function isItself(directory: string, real: (path: string) => string): boolean {
  const end = directory.lastIndexOf('/')
  if (directory === '/') return true
  const above = real(directory.slice(0, end) || '/')
  return real(directory) === `${above === '/' ? '' : above}${directory.slice(end)}`
}
