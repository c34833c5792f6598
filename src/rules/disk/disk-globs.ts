import { mayFit } from '../paths/name-patterns.ts'
import { directoryAround, mostEntries, pathIn, type Disk } from './disk.ts'

/** More files than this do not stand for one pattern. */
const mostMatches = 1_000

/** A longer pattern can only go round in a circle of links. */
const mostSegments = 64

interface Search {
  readonly disk: Disk
  readonly wide: boolean
  readonly work: { left: number }
  /** Behind any other segment only a directory can follow. */
  readonly last: boolean
}

/** `/a/*.ts` → the files that match, null where they are too many. */
export function globbed(pattern: string, disk: Disk, wide: boolean): readonly string[] | null {
  const work = { left: mostEntries }
  let found: readonly string[] = ['/']
  const segments = pattern.split('/').filter((segment) => segment !== '')
  if (segments.length > mostSegments) return null
  for (const [at, segment] of segments.entries()) {
    const last = at === segments.length - 1
    const next = /(?<!\\)[*?[]/.test(segment)
      ? matches(found, segment, { disk, wide, work, last })
      : plain(found, segment)
    if (next === null || next.length > mostMatches) return null
    found = next
  }
  return found
}

function plain(directories: readonly string[], segment: string): readonly string[] {
  return directories.map((directory) => pathIn(directory, segment.replaceAll(/\\(.)/g, '$1')))
}

/** Bash before 5.2, and one that is told so, finds `..` by these. */
const climbing = /^\.(\.|\?|\*|\[.*\])\**$/

const beyondAscii = /[^\u0001-\u007f]/

/** A charset may take one letter for several signs, or for another letter: the first set of letters may be anything. */
function roughly(pattern: string): string {
  return pattern.replace(/(?<!\\)\[.*$/s, '*').replaceAll(/(?<!\\)\?/g, '*')
}

function matches(
  directories: readonly string[],
  segment: string,
  { disk, wide, work, last }: Search,
): readonly string[] | null {
  // With globstar it stands for any depth.
  if (segment === '**' && wide) return null
  const options = {
    dot: wide || segment.startsWith('.'),
    nocase: wide,
    nobrace: true,
    nonegate: true,
    nocomment: true,
    noext: true,
  }
  const sought = segment === '**' ? '*' : segment
  const test = (name: string): boolean => mayFit(name, beyondAscii.test(name) ? roughly(sought) : sought, options)
  const found: string[] = []
  for (const directory of directories) {
    const entries = disk.entries?.(disk(directory)) ?? []
    work.left -= entries.length
    if (work.left < 0) return null
    for (const { name, kind } of entries)
      if ((last || kind !== 'file') && test(name)) found.push(pathIn(directory, name))
    if (!last && climbing.test(segment)) found.push(directoryAround(disk(directory)))
  }
  return found
}
