import { directsCommands } from '../paths/configuring-files.ts'
import { globbed } from '../disk/disk-globs.ts'
import { isInside, resolveFrom } from '../paths/path-inside.ts'
import { onlyReads } from '../shell/bash-reads.ts'
import { editsFiles } from '../shell/file-editors.ts'
import { takesData } from '../shell/runnable-texts.ts'
import { runsCommands } from '../shell/worked-out-programs.ts'
import { isHarmlessAssignment, steers } from '../shell/bash-word.ts'
import { commandName, unwrapped } from '../shell/bash-wrappers.ts'
import { spots, type Action, type ActionCommand, type ActionPath } from './action.ts'
import type { Looking } from '../disk/disk.ts'

/**
 * Marks the paths that may lead elsewhere by the time they are used, because a command in front of them on the line makes a
 * link, or gives one another place.
 */
export function behindNewLinks(
  paths: readonly ActionPath[],
  commands: readonly ActionCommand[],
  disk: Looking,
): readonly ActionPath[] {
  if (!commands.some(movesLinks)) return paths
  const operands = Map.groupBy(paths, ({ command, of, loose }) => (of === 'operand' && loose !== true ? command : -1))
  const made = new Map<string, number>()
  /** From these commands on the shell is in a directory that was moved away. */
  let lost = Infinity
  for (const [by, command] of commands.entries()) {
    const own = movesLinks(command) ? (operands.get(by) ?? []) : []
    const target = own.at(-1)
    if (target === undefined) continue
    if (lost === Infinity && takesAway(own, command)) lost = by
    if (made.has(target.path)) continue
    if (climbs(command) || own.some((path) => path !== target && mayBeLink(path, disk))) made.set(target.path, by)
  }
  if (made.size === 0 && lost === Infinity) return paths
  return paths.map((path) => {
    const { command = 0 } = path
    const behind = command > lost || around(path.path).some((place) => (made.get(place) ?? Infinity) < command)
    return behind ? { ...path, vague: true } : path
  })
}

/** `mv ../er x` in `er`: names such as `../y` are looked for from the new place. */
function takesAway(own: readonly ActionPath[], { words, directories }: ActionCommand): boolean {
  const inner = unwrapped(words)
  if (commandName(inner) === 'cp' || commandName(inner) === 'ln') return false
  const isTold = inner.some(({ value }) => /^(-[a-zA-Z]*t|--t)/.test(value ?? ''))
  const moved = isTold ? own : own.slice(0, -1)
  return moved.some((path) =>
    spots(path).some((spot) => directories === null || directories.some((directory) => isInside(spot, directory))),
  )
}

/** `/a/b`: itself, `/a` and `/`. */
function around(path: string): readonly string[] {
  const places = [path]
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) places.push(path.slice(0, end))
  return [...places, '/']
}

function movesLinks({ words }: ActionCommand): boolean {
  const inner = unwrapped(words)
  const name = commandName(inner)
  if (name === 'ln' || name === 'mv' || (name === 'git' && inner.some(({ value }) => value === 'mv'))) return true
  return name === 'cp' && inner.some(({ value }) => /^(-[a-zA-Z]*[adPrRls]|--(a|no-d|p|r|l|sy))/.test(value ?? ''))
}

/** `ln -s ../x dir/y`: a link starts from its own directory, and not from where the command runs. */
function climbs({ words }: ActionCommand): boolean {
  const inner = unwrapped(words)
  return commandName(inner) === 'ln' && inner.some(({ value }) => value?.startsWith('../') === true)
}

/** A link, or a directory with one in it. A plain file stays one under another name. */
function mayBeLink({ path, resolved, vague }: ActionPath, disk: Looking): boolean {
  if (vague === true || disk.entries === undefined) return true
  const name = path.slice(path.lastIndexOf('/') + 1)
  const kind = disk.entries(disk(resolveFrom(path, '/', '..')))?.find((entry) => entry.name === name)?.kind
  if (kind === 'link') return true
  if (kind !== 'directory') return false
  const inside = disk.below(resolved ?? path)
  return inside === null || inside.some((each) => disk(each) !== each)
}

/** Commands that make a file which nobody has looked at; the output of a compiler is like any other program. */
const making = /^(cp|ln|mv|install|rsync|tee|dd|curl|wget|sponge|sed|split)$/
const runners =
  /^(ba|da|z|k)?sh$|^(source|\.|make|gmake|env)$|^(python|perl|ruby|node|php|tclsh|lua)[\d.]*$|^(sed|[gmn]?awk)$/

/**
 * The command that runs a file which one in front of it has written, copied or linked: what it runs is not on the disk yet.
 *
 * @example `cp /bin/rm x; ./x a` → `./x a`
 */
export function runsMade({ commands, paths, home }: Action): ActionCommand | undefined {
  const made = paths.filter(({ access, of, command }) => {
    const maker = commands[command ?? -1]
    if (access !== 'edit' || maker === undefined) return false
    return of === 'redirect' || making.test(commandName(unwrapped(maker.words)))
  })
  if (made.length === 0) return undefined
  const makers = new Map<string, number>()
  for (const path of made.toReversed()) for (const spot of spots(path)) makers.set(spot, path.command ?? 0)
  const first = Math.min(...makers.values())
  // A directory of programs may be among those in which the shell looks for names.
  const names = new Set([...makers.keys()].map((path) => path.slice(path.lastIndexOf('/') + 1)))
  const steered = commands.findIndex(({ words }, at) => at > first && (isSteered(commands[at]) || words.some(toldGit)))
  const recipes = made.filter(({ path }) => directsCommands(path.slice(path.lastIndexOf('/') + 1)))
  const written = Math.min(...recipes.map(({ command = 0 }) => command))
  return commands.find((command, at) => {
    if (at > written && consults(unwrapped(command.words))) return true
    if (at <= first) return false
    if (steered !== -1 && at >= steered && command.words.length > 0) return true
    const words = unwrapped(command.words)
    const name = commandName(words)
    if (names.has(name) || (name === 'git' && words.some(({ value }) => names.has(`git-${value}`)))) return true
    const own = words[0]?.value ?? ''
    const run = [...(own.includes('/') ? [own] : []), ...(runners.test(name) ? operandsToRun(name, words) : [])]
    const places = run.flatMap((path) => (command.directories ?? ['/']).map((from) => resolveFrom(from, home, path)))
    return places.some((place) => (makers.get(place) ?? at) < at)
  })
}

/** A variable before the command, or one that the shell keeps, may point to the new file. */
function isSteered(command: ActionCommand | undefined): boolean {
  return (command?.assignments ?? []).some(
    (text) => steers(/^\w*/.exec(text)?.[0] ?? '') && !isHarmlessAssignment(text),
  )
}

/** Settings of git, and options, that name files of further settings, or of programs. */
function toldGit({ value }: ActionCommand['words'][number]): boolean {
  return /^(--(template|exec-path)|(include(if)?\.|core\.hookspath|core\.attributesfile|init\.templatedir))/i.test(
    value ?? '',
  )
}

/** Builders and package managers, whose arguments are data otherwise. */
const builders =
  /^(npm|pnpm|yarn|bun|cargo|go|composer|bundle|poetry|pipenv|pdm|hatch|uv|conda|pip3?|docker|g?make|ninja|tsc|eslint|prettier|pytest|vitest|jest|mocha|black|ruff|mypy)$/

/** The command may do what a recipe says that lies in the project: `npm test`. */
function consults(words: ActionCommand['words']): boolean {
  if (words.length === 0) return false
  return builders.test(commandName(words)) || !(takesData(words) || onlyReads(words) || editsFiles(words))
}

function operandsToRun(name: string, words: ActionCommand['words']): readonly string[] {
  const named = words.slice(1).flatMap(({ value }) => (value === null || value.startsWith('-') ? [] : [value]))
  if (/^(sed|[gmn]?awk)$/.test(name)) return runsCommands(words) ? named : []
  return name.endsWith('make') ? [...named, 'Makefile', 'makefile', 'GNUmakefile'] : named
}

const renaming = /^(ln|cp|mv|install|alias|hash)$/

/**
 * The programs to which a command gives another name: `cp /bin/rm x`, `alias q=rm`.
 *
 * @returns Paths and names as written, and as the value behind `=`; directories are left out.
 */
export function renamedPrograms({ words, directories }: ActionCommand, action: Action): readonly string[] {
  const { cwd, home, disk } = action
  const inner = unwrapped(words)
  if (!renaming.test(commandName(inner))) return []
  const isProgram = (path: string): boolean =>
    (directories ?? [cwd]).every((from) => disk?.kindAt(resolveFrom(from, home, path)) !== 'directory')
  return inner.slice(1).flatMap(({ value, text }) => {
    const [name = ''] = (value ?? text).replace(/^\w+=/, '').trim().split(/\s/, 1)
    return name !== '' && !name.startsWith('-') && isProgram(name) ? [name] : []
  })
}

/** A command with the spelling under which a rule knows the file that its name links to: `./z` where z leads to `bin/rm`. */
export function withLinkedName(command: ActionCommand, { cwd, home }: Action, disk: Looking): ActionCommand {
  const [first, ...rest] = unwrapped(command.words)
  const name = first?.value
  const isPattern = command.perhaps === true && first?.glob === true
  if (name === undefined || name === null || !(name.includes('/') || isPattern)) return command
  const places = (command.directories ?? [cwd]).map((from) => resolveFrom(from, home, name))
  const paths = isPattern ? places.map((place) => globbed(place, disk, false)) : [places]
  // A pattern that finds too much may find any program.
  if (paths.includes(null)) return { ...command, hides: true }
  const linked = paths
    .flatMap((found) => found ?? [])
    .flatMap((path) => {
      const end = whereItLeads(path, disk)
      return [...(isPattern ? [path] : []), ...(end === path ? [] : [end])]
    })
    .map((path) => path.slice(path.lastIndexOf('/') + 1))
  if (linked.length === 0) return command
  const more = linked.map((each) => [each, ...rest.map(({ value, text }) => value ?? text)].join(' '))
  return { ...command, spellings: [...command.spellings, ...more] }
}

/** The path with its links followed; itself where they form a circle. */
export function whereItLeads(path: string, disk: Looking): string {
  try {
    return disk(path)
  } catch {
    return path
  }
}
