import { lstatSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isInside } from '../../rules/paths/path-inside.ts'
import { resolveReal } from '../fs/resolve-real.ts'

/** A symbolic link with its text. */
export interface Link {
  readonly path: string
  readonly to: string
}

/**
 * The links in writable places that stand on the way to closed paths: no mount holds a link itself in its place.
 *
 * @param closed Absolute paths, there or not.
 * @param writable Absolute paths.
 * @example linksOn(['/repo/.claude/settings.json'], ['/repo']) // [{ path: '/repo/.claude', to: '../shared' }]
 */
export function linksOn(closed: readonly string[], writable: readonly string[]): readonly Link[] {
  const found = new Map<string, Link>()
  for (const dir of writable) {
    const real = resolveReal(dir)
    for (const path of closed) {
      const base = isInside(dir, path) ? dir : real
      if (!isInside(base, path)) continue
      const link = firstLink(real, path.slice(base.length))
      if (link !== null) found.set(link.path, link)
    }
  }
  return [...found.values()]
}

/** Only the first one lies where commands can exchange it for sure; what is behind it is closed by its own mount. */
function firstLink(from: string, rest: string): Link | null {
  let at = from
  for (const name of rest.split('/')) {
    if (name === '') continue
    at = join(at, name)
    const found = lstatSync(at, { throwIfNoEntry: false })
    if (found === undefined || !(found.isDirectory() || found.isSymbolicLink())) return null
    if (found.isSymbolicLink()) return { path: join(resolveReal(dirname(at)), name), to: readlinkSync(at) }
  }
  return null
}
