import { mostEntries, type Looking } from './disk.ts'

/** More links than this are not looked up for one call. */
const mostLinks = 1_000

const targets = new WeakMap<Iterable<string>, readonly (string | null)[]>()

/**
 * The files to which the links among some paths lead; null for one in a circle, and for all where they are too many. Paths that come again, for another rule, are not looked up again.
 *
 * @example targetsOf(['/repo/link', '/repo/a.txt'], disk) // ['/repo/.env']
 */
export function targetsOf(paths: Iterable<string>, disk: Looking): readonly (string | null)[] {
  const known = targets.get(paths)
  if (known !== undefined) return known
  const links = [...paths].filter((path) => disk.kindAt(path) === 'link')
  const found = links.length > mostLinks ? [null] : links.map((path) => endOf(path, disk))
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

/**
 * All that lies below a directory, links to directories followed, each of these once; null where that is too much, or nobody
 * can say.
 */
export function belowThrough(directory: string, disk: Looking): readonly string[] | null {
  const found = new Set<string>()
  const open = [directory]
  const seen = new Set(open)
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const inside = disk.below(at)
    if (inside === null || found.size > mostEntries) return null
    for (const path of inside) found.add(path)
    for (const target of targetsOf(inside, disk)) {
      if (target === null) return null
      found.add(target)
      if (disk.kindAt(target) !== 'directory' || seen.has(target)) continue
      seen.add(target)
      open.push(target)
    }
  }
  return [...found]
}
