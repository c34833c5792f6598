import type { Looking } from './disk.ts'

const targets = new WeakMap<Iterable<string>, readonly (string | null)[]>()

/**
 * The files to which the links among some paths lead; null for one in a circle. Paths that come again, for another rule, are not looked up again.
 *
 * @example targetsOf(['/repo/link', '/repo/a.txt'], disk) // ['/repo/.env']
 */
export function targetsOf(paths: Iterable<string>, disk: Looking): readonly (string | null)[] {
  const known = targets.get(paths)
  if (known !== undefined) return known
  const found = [...paths].filter((path) => disk.kindAt(path) === 'link').map((path) => endOf(path, disk))
  targets.set(paths, found)
  return found
}

function endOf(path: string, disk: Looking): string | null {
  try {
    return disk(path)
  } catch {
    return null
  }
}
