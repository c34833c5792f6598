import { isInside, resolveFrom } from './path-inside.ts'

/** Where a shell looks for programs, and who may put one there. */
export interface ProgramSearch {
  /** The directories of the PATH in their order; one that is not absolute starts where the shell is. */
  readonly searched: readonly string[]
  /** Directories in which agents, and whoever made the project, put files. */
  readonly writable: readonly string[]
  /** Where a path leads with links followed; null where no file is there. */
  find(path: string): string | null
}

/**
 * The file of the project that a name means to a shell. The programs of the system are looked up only where there is such
 * a file behind them in the PATH.
 *
 * @param starts the directories in which the shell may be
 * @returns null where the name means a program from elsewhere, or none
 * @example programFound('ls', ['/repo'], { searched: ['bin', '/usr/bin'], writable: ['/repo'], find }) // '/repo/bin/ls'
 */
export function programFound(name: string, starts: readonly string[], search: ProgramSearch): string | null {
  const { searched, writable, find } = search
  for (const [at, entry] of searched.entries()) {
    if (!mayBeOwn(entry, writable)) continue
    for (const start of starts) {
      const dir = resolveFrom(start, '/', entry)
      const path = `${dir}/${name}`
      const file = writable.some((each) => isInside(each, dir)) ? find(path) : null
      if (file === null) continue
      const before = searched.slice(0, at).map((each) => find(`${resolveFrom(start, '/', each)}/${name}`))
      if (before.every((each) => each === null || each === file)) return path
    }
  }
  return null
}

/**
 * Says whether a file, once it is there, would be run in the place of a program with its name that the PATH finds elsewhere.
 *
 * @example hidesProgram('/repo/bin/git', { searched: ['/repo/bin', '/usr/bin'], writable: ['/repo'], find }) // true
 */
export function hidesProgram(path: string, search: ProgramSearch): boolean {
  const { searched, writable, find } = search
  const end = path.lastIndexOf('/')
  const own = searched.findIndex((entry) => mayBeOwn(entry, writable) && isNamed(path.slice(0, end), entry))
  if (own === -1) return false
  const there = find(path)
  const others = searched.slice(own + 1).filter((entry) => entry.startsWith('/'))
  return others.some((entry) => ![null, there].includes(find(`${entry}${path.slice(end)}`)))
}

/** Says whether a path is one of the directories in which a shell looks for programs of the project. */
export function holdsPrograms(path: string, { searched, writable }: ProgramSearch): boolean {
  return searched.some((entry) => mayBeOwn(entry, writable) && entry !== '.' && isNamed(path, entry))
}

/**
 * Says whether a directory of the PATH may be one of the project's. Most lie elsewhere, as their first letters say.
 *
 * @example mayBeOwn('/usr/bin', ['/repo']) // false
 */
export function mayBeOwn(entry: string, writable: ProgramSearch['writable']): boolean {
  return !entry.startsWith('/') || writable.some((each) => entry.startsWith(each) && isInside(each, entry))
}

/** A relative entry is any directory of its name: the shell may be anywhere when it looks. */
function isNamed(dir: string, entry: string): boolean {
  return (
    /^\.\.?(\/\.\.)*$/.test(entry) ||
    dir === entry ||
    (!entry.startsWith('/') && dir.endsWith(resolveFrom('/', '/', entry)))
  )
}
