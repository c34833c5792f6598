import type { Policy } from '../../protocol/permissions/permission.ts'
import { normalize, resolve } from 'node:path'
import { resolveReal } from './resolve-real.ts'

let last: { readonly path: string; readonly places: readonly string[] } | undefined

/**
 * The directories of a PATH in their order, each also as it lies on the disk where a link leads to it; kept for as long as the
 * same PATH is asked for. One that is not absolute stays relative.
 *
 * @example programPlaces('bin::/usr/bin') // ['bin', '.', '/usr/bin']
 */
export function programPlaces(path = ''): readonly string[] {
  if (last?.path === path) return last.places
  const entries = path === '' ? [] : path.split(':')
  const places = [...new Set(entries.flatMap((entry) => (entry.startsWith('/') ? bothWays(entry) : [plainly(entry)])))]
  last = { path, places }
  return places
}

function bothWays(entry: string): readonly string[] {
  const plain = resolve(entry)
  try {
    return [plain, resolveReal(plain)]
  } catch {
    return [plain]
  }
}

/** `./bin/` → `bin`; an empty entry is the directory in which the shell is. */
function plainly(entry: string): string {
  return normalize(entry).replace(/\/$/, '')
}

/** The same of the PATH that the settings give to commands, or of another one where they give none. */
export function placesOfPrograms({ env }: Policy, otherwise: string | undefined): readonly string[] {
  return programPlaces(env?.['PATH'] ?? otherwise)
}
