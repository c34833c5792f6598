import { isInside, resolveFrom } from '../paths/path-inside.ts'
import { opens, type Below } from '../shell/reach.ts'
import { directoryAround, type Looking } from './disk.ts'
import { targetsOf } from './link-targets.ts'

/** The files that a list may name which a command makes of a directory; null where nobody can say. */
function listedIn(at: string, below: Below, disk: Looking): readonly string[] | null {
  const held = below.history === true && disk.history !== undefined ? disk.history(at) : disk.below(at)
  if (held === null) return null
  return [...held].filter((path) => isInside(at, path) && opens(below, path.slice(at.length)))
}

/**
 * Where the links lead that a list of names may hold; null where nobody can say. `find -name '*.ts'` names no other link, and
 * git none that it does not keep.
 *
 * @param below Which names the list holds of those below the directory `at`.
 */
export function targetsOfListed(at: string, below: Below, disk: Looking): readonly (string | null)[] | null {
  const named = listedIn(at, below, disk)
  if (named === null) return null
  // A directory that git keeps may have become a link.
  const above = below.history === true ? named.flatMap((path) => directoriesBetween(at, path)) : []
  return targetsOf(new Set([...named, ...above]), disk)
}

interface Split {
  readonly below: Below
  /** Names end with a NUL, so that a blank in one takes it not apart. */
  readonly whole: boolean
  /** The directories in which the program may run that gets the names. */
  readonly from: readonly string[]
}

/**
 * Every name of a list from some places stays one word where `xargs` reads it, or falls into words that are no files. None
 * of them is an option.
 */
export function areWordsListed(places: readonly string[], disk: Looking, split: Split): boolean {
  return places.every((at) => {
    const listed = listedIn(at, split.below, disk)
    return listed?.every((path) => staysWord(at, path.slice(at.length), { split, disk })) === true
  })
}

function staysWord(
  at: string,
  name: string,
  { split, disk }: { readonly split: Split; readonly disk: Looking },
): boolean {
  if (name.includes('/-')) return false
  if (split.whole || !/[\s"'\\]/.test(name)) return true
  const [first = '', ...words] = name.split(/\s+/)
  if (/["'\\]/.test(name) || words.some((word) => word.startsWith('-'))) return false
  const named = words.flatMap((word) =>
    split.from.map((dir) => resolveFrom(dir, '/', word.startsWith('/') ? word : `./${word}`)),
  )
  return [`${at}${first}`, ...named].every((path) => disk.kindAt(path) === undefined)
}

function directoriesBetween(top: string, path: string): readonly string[] {
  const found: string[] = []
  for (let at = directoryAround(path); at !== top && isInside(top, at); at = directoryAround(at)) found.push(at)
  return found
}
