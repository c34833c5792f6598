/** A segment that is empty, `.` or `..`, the one behind a trailing slash included. */
const unusual = /\/\.{0,2}(?:\/|$)/

/** Cheap, and wrong only on the safe side. */
function mayBeUnusual(path: string): boolean {
  return path.includes('/.') || path.includes('//') || path.endsWith('/')
}

/**
 * The normal form of an absolute path: no empty, `.` or `..` segment, no trailing slash. Symlinks are not
 * looked at; that needs the disk.
 *
 * @example normalPath('/a/./b/../c/') // '/a/c'
 */
export function normalPath(path: string): string {
  if (path.startsWith('/') && !(mayBeUnusual(path) && unusual.test(path))) return path
  const kept: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  return `/${kept.join('/')}`
}

/**
 * Says whether an absolute path is a directory or lies below it, compared segment by segment, so that
 * `/repo-evil` is not inside `/repo`. A relative path is inside nothing.
 *
 * @example isInside('/repo', '/repo/src/../../etc') // false
 */
export function isInside(dir: string, path: string): boolean {
  if (!dir.startsWith('/') || !path.startsWith('/')) return false
  const base = normalPath(dir)
  const target = normalPath(path)
  if (base === '/') return true
  return target.startsWith(base) && (target.length === base.length || target[base.length] === '/')
}

/**
 * Makes a path as people write it absolute: `~` and `~/x` start at the home directory, a relative one at `cwd`.
 *
 * @example resolveFrom('/repo', '/home/ann', '~/notes/../x') // '/home/ann/x'
 */
export function resolveFrom(cwd: string, home: string, path: string): string {
  if (path === '~' || path.startsWith('~/')) return normalPath(`${home}${path.slice(1)}`)
  if (path.startsWith('/')) return normalPath(path)
  return normalPath(`${cwd}/${path.startsWith('./') ? path.slice(2) : path}`)
}
