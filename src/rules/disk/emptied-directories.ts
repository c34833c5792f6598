import { directoryAround, type Looking } from './disk.ts'

/** A path that is taken away; a pattern may have found it. */
interface Removed {
  readonly path: string
  readonly found?: true | undefined
}

/** A directory of which names that are not hidden are taken away. */
interface Emptied {
  readonly directory: string
  /** All of these names are taken. */
  readonly all: boolean
  /** More than half of them are, or would be if only what patterns found were taken. */
  readonly most: boolean
  readonly mostFound: boolean
  /** A directory is among those that patterns found. */
  readonly trees: boolean
  /** One name alone, which no pattern found, says little about the directory. */
  readonly single: boolean
}

/**
 * Compares what paths take away with what lies in the directories around them, links followed.
 *
 * @example emptied([{ path: '/home/me/work' }, { path: '/home/me/papers' }], disk) // '/home/me', all
 */
export function emptied(taken: readonly Removed[], disk: Looking): readonly Emptied[] {
  const names = new Map<string, Map<string, boolean>>()
  for (const { path, found = false } of taken) {
    const around = placeAround(path, disk)
    if (path === '/' || around === undefined) continue
    const known = names.get(around) ?? new Map<string, boolean>()
    const name = path.slice(path.lastIndexOf('/') + 1)
    names.set(around, known.set(name, found || known.get(name) === true))
  }
  return [...names].flatMap(([directory, taken]) => comparedWith(directory, taken, disk) ?? [])
}

function comparedWith(directory: string, taken: ReadonlyMap<string, boolean>, disk: Looking): Emptied | undefined {
  const shown = disk.entries?.(directory)?.filter(({ name }) => !name.startsWith('.')) ?? []
  const gone = shown.filter(({ name }) => taken.has(name))
  if (gone.length === 0) return undefined
  const found = gone.filter(({ name }) => taken.get(name) === true)
  return {
    directory,
    all: gone.length === shown.length,
    most: gone.length * 2 > shown.length,
    mostFound: found.length * 2 > shown.length,
    trees: found.some(({ kind }) => kind === 'directory'),
    single: gone.length === 1 && found.length === 0,
  }
}

function placeAround(path: string, disk: Looking): string | undefined {
  try {
    return disk(directoryAround(path))
  } catch {
    return undefined
  }
}
