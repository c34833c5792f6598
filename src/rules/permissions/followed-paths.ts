import { takenWhole } from '../paths/name-patterns.ts'
import { resolveFrom } from '../paths/path-inside.ts'
import { globbed } from '../disk/disk-globs.ts'
import { looking, ofProcess, type Disk, type Looking } from '../disk/disk.ts'
import { placedTrees } from '../disk/placed-trees.ts'
import { repositoryOf } from '../disk/repositories.ts'
import { areWordsListed } from '../disk/listed-files.ts'
import { commandName, fromXargs, unwrapped } from '../shell/bash-wrappers.ts'
import { isSplitAtNul } from '../shell/read-only-commands.ts'
import { placingOf } from '../shell/placed-files.ts'
import { distinctPaths, spots, type Action, type ActionCommand, type ActionPath } from './action.ts'
import { withNamed } from './code-mentions.ts'
import { behindNewLinks, withLinkedName } from './new-links.ts'

/**
 * Adds to the paths of an analysed action where they really lead, and the files that its globs stand for, as whoever can
 * look at the disk says it; and the files that texts on its line name.
 *
 * @example followPaths(analyse(request), resolveReal)
 */
export function followPaths(said: Action, real: Disk): Action {
  if (said.tool !== 'Bash' && said.paths.length === 0) return said
  const disk = looking(real)
  const action = withNamed(said, disk)
  const wide = action.wideGlobs === true
  const paths: ActionPath[] = []
  for (const path of distinctPaths(action.paths, JSON.stringify))
    paths.push(...(path.fromTop === undefined ? expanded(path, disk, wide) : atTops(path, action.cwd, disk)))
  const placed = placedPaths(action, paths, disk)
  const linked = action.commands.map((command) => withLinkedName(command, action, disk))
  const commands = withWholeLists(linked, paths, disk)
  return { ...action, disk, commands, paths: behindNewLinks([...paths, ...placed], action.commands, disk) }
}

/**
 * The commands, of which those behind `xargs` have no list any more where its names do not reach them as they are: the
 * file `x .env` would come as two names, and `-rf` as an option.
 */
function withWholeLists(
  commands: readonly ActionCommand[],
  paths: readonly ActionPath[],
  disk: Looking,
): readonly ActionCommand[] {
  if (disk.entries === undefined) return commands
  const broken = new Set(
    commands.flatMap((command, at) => {
      if (command.listed === undefined) return []
      const own = paths.filter(({ of, command: by }) => of === 'operand' && by === at)
      return isBroken(command, own, disk) ? [command.listed] : []
    }),
  )
  if (broken.size === 0) return commands
  return commands.map(({ listed, ...command }) =>
    listed === undefined || broken.has(listed) ? command : { ...command, listed },
  )
}

function isBroken({ words, directories }: ActionCommand, own: readonly ActionPath[], disk: Looking): boolean {
  const fed = fromXargs(words)
  if (commandName(fed) !== 'xargs') return false
  if (directories === null) return true
  const whole = isSplitAtNul(fed)
  return own.some(
    (path) =>
      path.below !== undefined && !areWordsListed(spots(path), disk, { below: path.below, whole, from: directories }),
  )
}

/** The files that come to be where directories are copied or get other names. */
function placedPaths({ commands, home }: Action, paths: readonly ActionPath[], disk: Looking): readonly ActionPath[] {
  if (disk.entries === undefined) return []
  return commands.flatMap((command, by) => {
    const placing = placingOf(unwrapped(command.words))
    if (placing === undefined) return []
    const changed = paths.filter(({ access, command: at = -1 }) => access === 'edit' && at < by).map(({ path }) => path)
    return (command.directories ?? []).flatMap((from) =>
      placedTrees(placing, { from, home, changed }, disk).map((path) =>
        followed({ path, access: 'edit', of: 'operand', command: by, placed: true }, disk),
      ),
    )
  })
}

/** A pattern that no file matches stands for itself. */
function expanded(entry: ActionPath, disk: Looking, wide: boolean): readonly ActionPath[] {
  if (entry.glob === undefined) return [followed(entry, disk)]
  if (disk.entries === undefined) return entry.ifThere === true ? [] : [followed(entry, disk)]
  const { glob, ...rest } = entry
  const found = globbed(entry.path, disk, wide)
  if (found === null) return [{ ...entry, vague: true }]
  if (found.length === 0) return entry.ifThere === true ? [] : [followed(rest, disk)]
  const whole = placesTaken(entry.path, disk)
  return found.map((path) => {
    // In the directory itself a name stands as it is: `-rf` would be an option.
    const option = /^[*?[]/.test(glob) && firstName(path, glob).startsWith('-')
    return followed({ ...rest, path, found: true, whole, ...(option && { option }) }, disk)
  })
}

/** `~/*`: the directory of which a pattern takes all, and where it really lies. */
function placesTaken(pattern: string, disk: Looking): readonly string[] | undefined {
  const directory = takenWhole(pattern)
  if (directory === undefined) return undefined
  try {
    return [...new Set([directory, disk(directory)])]
  } catch {
    return [directory]
  }
}

/** A copy of the project's own repository holds the files of the project. */
function atTops({ fromTop, ...entry }: ActionPath, cwd: string, disk: Looking): readonly ActionPath[] {
  if (fromTop === undefined) return []
  const tops = new Set([fromTop.place, cwd].flatMap((place) => repositoryOf(place, disk)?.top ?? []))
  return [...tops].map((top) => followed({ ...entry, path: resolveFrom(top, '/', `./${fromTop.name}`) }, disk))
}

/** The name in a path that the first part of a relative pattern found. */
function firstName(path: string, glob: string): string {
  return path.split('/').at(-glob.split('/').filter((part) => part !== '').length) ?? ''
}

/** A file that the line has opened to read it: `tee /dev/stdin < x` writes to it. */
const openedToRead = /^\/dev\/(stdin|fd\/(0|[3-9]|\d{2,}))$/

/** Most paths lead where they say. */
function followed(entry: ActionPath, real: Disk): ActionPath {
  // The own directory of another process is not that of this one.
  if (ofProcess.test(entry.path)) return { ...entry, vague: true }
  if (entry.access === 'edit' && openedToRead.test(entry.path)) return { ...entry, vague: true }
  try {
    const end = real(entry.path)
    const path = entry.climbs === undefined ? entry : straightened(entry, real)
    return end === entry.path ? path : { ...path, resolved: end }
  } catch {
    return { ...entry, vague: true }
  }
}

/** Without symlinks on its way up, a path leads where it looks. */
function straightened({ climbs = [], ...path }: ActionPath, real: (path: string) => string): ActionPath {
  return climbs.every((directory) => isItself(directory, real)) ? path : { ...path, climbs, vague: true }
}

/** The directory is no symlink, whatever those above it are. */
function isItself(directory: string, real: (path: string) => string): boolean {
  const end = directory.lastIndexOf('/')
  if (directory === '/') return true
  const above = real(directory.slice(0, end) || '/')
  return real(directory) === `${above === '/' ? '' : above}${directory.slice(end)}`
}
