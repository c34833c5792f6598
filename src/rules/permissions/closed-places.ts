import type { Bounds } from '../../protocol/permissions/permission.ts'
import { isSpelled, mayFit, surelyFits } from '../paths/name-patterns.ts'
import { isInside, resolveFrom } from '../paths/path-inside.ts'
import { addsIgnored, cleansAll, onlyLooks, picks, placesSet, placesTold, removes } from '../shell/bash-places.ts'
import { hidesFiles } from '../shell/bash-unseen.ts'
import { changesText, setsVariables, withInstead } from '../shell/bash-word.ts'
import { commandName, fromXargs, unwrapped } from '../shell/bash-wrappers.ts'
import { takesNames } from '../shell/bash-reads.ts'
import { takesList } from '../shell/fed-paths.ts'
import { inputMark, placesActedOn } from '../shell/open-texts.ts'
import { mayPatch } from '../shell/file-editors.ts'
import { mentionedPlaces, saysIgnored } from '../shell/listed-places.ts'
import { spots, type Action, type ActionCommand, type ActionPath, type BoundsVerdict } from './action.ts'
import { ofProcess, type Looking } from '../disk/disk.ts'
import { belowThrough } from '../disk/link-targets.ts'
import { repositoryOf } from '../disk/repositories.ts'
import { runsMade, whereItLeads } from './new-links.ts'
import { takesUnseenPatch } from './patched-files.ts'

/** A path in a closed directory, or one with which a closed directory would go. */
export function isClosed(found: ActionPath, action: Action, bounds: Bounds): BoundsVerdict | null {
  const command = found.command === undefined ? undefined : action.commands[found.command]
  const isGone = (path: string): boolean =>
    command !== undefined && takenAway(command, found, { action, bounds }).includes(path)
  for (const path of spots(found)) {
    const closed = bounds.protected.find((dir) => isIn(dir, path, bounds) || (isInside(path, dir) && isGone(path)))
    if (closed === undefined) continue
    const isSeen = command !== undefined && spots(found).every((each) => isAboveOpen(each, bounds))
    return isSeen && onlyLooks(command) ? null : closedVerdict(`${closed} is closed to agents`, path)
  }
  return null
}

const none: readonly string[] = []

/** The paths that are not where they were when the command has run. A link goes without what it leads to. */
function takenAway(
  command: ActionCommand,
  found: ActionPath,
  { action, bounds }: { readonly action: Action; readonly bounds: Bounds },
): readonly string[] {
  // Files of a list are taken one by one.
  if (found.below !== undefined && command.listed !== undefined) return none
  if (removes(command)) return sparesClosed(command, found, { action, bounds }) ? none : spots(found)
  if (commandName(unwrapped(command.words)) !== 'mv') return none
  const target = action.paths.findLast((path) => path.command === found.command && path.of === 'operand')
  return target === found ? none : [found.path]
}

/** `find . -name '*.o' -delete` takes nothing from a closed directory in which no such name is. */
function sparesClosed(
  command: ActionCommand,
  found: ActionPath,
  { action, bounds }: { readonly action: Action; readonly bounds: Bounds },
): boolean {
  if (!picks(command)) return false
  const { disk } = action
  const words = unwrapped(command.words)
  const names = words.flatMap(({ value }, at) => (/^-i?name$/.test(words[at - 1]?.value ?? '') ? [value] : []))
  const closed = bounds.protected.filter((dir) => spots(found).some((spot) => isInside(spot, dir)))
  return closed.every((dir) => {
    const inside = disk?.entries?.(dir) === null ? [] : disk?.below(dir)
    if (inside === undefined || inside === null || names.length === 0) return false
    return [dir, ...inside].every((path) =>
      names.every(
        (name) => name !== null && !mayFit(path.slice(path.lastIndexOf('/') + 1), name, { dot: true, nocase: true }),
      ),
    )
  })
}

/** Inside a closed directory, and not in what is open there. */
export function isIn(dir: string, path: string, { open = [] }: Bounds): boolean {
  return isInside(dir, path) && !open.some((own) => own !== dir && isInside(dir, own) && isInside(own, path))
}

/** A directory around one that is open: listing it, or going there, shows nothing but names. */
export function isAboveOpen(path: string, { open = [] }: Bounds): boolean {
  return open.some((own) => isInside(path, own))
}

/** A directory that is read as a whole, or cleaned, and a closed one in it. */
export function closedInside(action: Action, bounds: Bounds): BoundsVerdict | null {
  const { disk } = action
  if (disk?.entries === undefined) return null
  const there = bounds.protected.filter((dir) => !isIn(dir, action.cwd, bounds) && disk.entries?.(dir) !== null)
  for (const found of action.paths) {
    const { below } = found
    if (
      below === undefined ||
      (below.changes === true && found.loose === true) ||
      below.history === true ||
      !below.hidden
    )
      continue
    const led = below.links === 'through' ? spots(found).flatMap((spot) => belowThrough(spot, disk) ?? ['/']) : []
    const dir = there.find(
      (each) =>
        [...spots(found), ...led].some((spot) => spot !== each && isInside(spot, each)) &&
        !(below.except ?? []).some((name) => surelyFits(each.slice(each.lastIndexOf('/') + 1), name, { dot: true })) &&
        holdsAny(each, below.only, disk),
    )
    if (dir !== undefined) return asked(dir, 'would be read as well')
  }
  const unknown = there.find((dir) => mayName(dir, action, bounds))
  if (unknown !== undefined) return asked(unknown, 'what the line does with it is only known when it runs')
  for (const [index, command] of action.commands.entries()) {
    const moved = movedInto(command, action, bounds)
    if (moved !== null) return moved
    const reached = there.length === 0 ? none : ignoredReached(command, index, action)
    const gone = there.find((dir) => reached.some((path) => isInside(path, dir)) || addsFrom(dir, command, action))
    if (gone !== undefined) return closedVerdict(`${gone} is closed to agents, and git would take it away`, gone)
  }
  return null
}

/** The values that a command gives to the setting which tells git where its files lie; null where nobody knows one. */
function worktreesTold({ words, assignments }: ActionCommand): readonly (string | null)[] {
  const says = (text: string): boolean => /core\.worktree/i.test(text)
  if (!words.some(({ value, text }) => says(value ?? text)) && !assignments.some(says)) return none
  const texts = words.map(({ value, text }) => value ?? text)
  const kept = [...assignments, ...texts].some((text) => /^GIT_CONFIG_\w+=.*core\.worktree/is.test(text))
  const told = texts.flatMap((text, at) => {
    const [setting, value] = /^["']?core\.worktree(?:=(.*))?$/is.exec(text) ?? []
    if (setting === undefined) return []
    if (value !== undefined) return words[at]?.value === null ? [null] : [value]
    const next = words[at + 1]
    return next === undefined ? [] : [next.value]
  })
  return kept ? [...told, null] : told
}

/** `git config core.worktree ../.troupe`: whatever git does from then on, it does to the files there. */
function movedInto(command: ActionCommand, { cwd, home, disk }: Action, bounds: Bounds): BoundsVerdict | null {
  const [first] = bounds.protected
  if (first === undefined || disk === undefined) return null
  const told = worktreesTold(command)
  if (told.length === 0) return null
  // The directory of git is where a relative value starts; that of a linked worktree lies elsewhere.
  const bases = (command.directories ?? [cwd]).map((from) => {
    const found = repositoryOf(from, disk)
    const git = found?.bare === true ? found.root : `${found?.root ?? from}/.git`
    return disk.kindAt(git) === 'file' ? null : git
  })
  for (const value of told) {
    const places = bases.map((base) => (value === null || base === null ? null : resolveFrom(base, home, value)))
    const spot = places.flatMap((place) => (place === null ? [] : [place, whereItLeads(place, disk)]))
    const closed = bounds.protected.find((dir) => spot.some((path) => isIn(dir, path, bounds)))
    if (closed !== undefined) return closedVerdict(`${closed} is closed to agents, and git would work there`, closed)
    if (places.includes(null)) return asked(first, 'git would work where only it knows')
  }
  return null
}

function asked(dir: string, why: string): BoundsVerdict {
  return { behavior: 'ask', always: true, reason: `${dir} is closed to agents and ${why}`, path: dir }
}

/**
 * The line says the name of the directory, or lists names among which it is, where nobody knows what becomes of them; or a
 * pattern may find it at any depth.
 */
function mayName(dir: string, action: Action, { open = [] }: Bounds): boolean {
  const { input, commands, paths, wideGlobs: dot = false } = action
  const holds = (glob: string): boolean => isInside(glob.replace(/\/[^/]*[*?[].*$/s, '') || '/', dir)
  if (paths.some(({ vague, glob, path }) => vague === true && glob !== undefined && holds(path))) return true
  if (paths.some(({ path }) => ofProcess.test(path))) return true
  if (commands.some(({ words }) => words.some(({ text }) => ofProcess.test(text)))) return true
  const name = dir.slice(dir.lastIndexOf('/') + 1)
  const finds = (pattern: string): boolean =>
    pattern
      .split('/')
      .some((part) => /[*?[]/.test(part) && part !== '*' && mayFit(name, part, { dot, nocase: true, nobrace: true }))
  const lost = commands.some(
    ({ words, redirects, directories }) =>
      redirects.some(({ word }) => word.value === null && finds(word.text)) ||
      findsByMark(words, finds) ||
      words.some(({ value, text, glob }) =>
        value === null ? finds(withInstead(text, '*')) : glob && directories === null && finds(value),
      ),
  )
  if (lost) return true
  const line = open.reduce((text, own) => text.replaceAll(own, ''), String(input['command'])).toLowerCase()
  const bare = name.replace(/^\./, '').toLowerCase()
  const says = isSpelled(bare, line, commands.some(changesText)) || listsSay(bare, action)
  const unsure = commands.some((command) => getsUnknown(command) || placesActedOn(command) !== null)
  if (
    says &&
    (unsure || commands.some(hidesFiles) || paths.some(({ vague }) => vague === true) || runsMade(action) !== undefined)
  )
    return true
  if (commands.some((command) => takesUnseenPatch(command, commands))) return true
  if (says && commands.some(({ words, patched }) => patched !== true && mayPatch(unwrapped(words)))) return true
  return unsure && commands.some((command) => lists(command, dir, action) || shows(command, finds))
}

/** Some words of the command are known only when it runs. */
function getsUnknown(command: ActionCommand): boolean {
  const { words, listed, redirects } = command
  const comesIn = commandName(fromXargs(words)) === 'xargs' && listed === undefined
  if (comesIn || takesList(words) || takesNames(command) || redirects.some(({ word }) => word.value === null))
    return true
  return !commandName(words).startsWith('echo') && words.some(({ value, from }) => value === null && from === undefined)
}

/** `tar -T list`, `while read d; do …; done < list`: the name stands in a file that is read as a list. */
function listsSay(name: string, { paths, commands, disk }: Action): boolean {
  if (disk?.text === undefined) return false
  return paths.some(({ path, resolved = path, access, of, command = -1 }) => {
    const isList = access === 'read' && (of === 'redirect' || takesList(commands[command]?.words ?? []))
    return isList && disk.text?.(resolved)?.toLowerCase().includes(name) === true
  })
}

/** `xargs -I% cat .tr%e`: what comes in completes the name. */
function findsByMark(words: ActionCommand['words'], finds: (pattern: string) => boolean): boolean {
  const mark = commandName(fromXargs(words)) === 'xargs' ? inputMark(words) : null
  if (mark === null || mark === '') return false
  return words.some(
    ({ value }) => value !== mark && value?.includes(mark) === true && finds(value.replaceAll(mark, '*')),
  )
}

/** `ls -A`, `find . -name '*l'`: the directory, or a file in it, is among the names that the command hands on. */
function lists(command: ActionCommand, dir: string, { cwd, home, disk }: Action): boolean {
  const { directories } = command
  const words = unwrapped(command.words)
  if (saysIgnored(words)) return (directories ?? [cwd]).some((at) => isInside(at, dir))
  const listed = placesActedOn(command) ?? mentionedPlaces(words)
  // A long listing is for a reader.
  const isLong = commandName(words) === 'ls' && words.some(({ value }) => /^-[a-zA-Z]*l/.test(value ?? ''))
  if (listed === null || isLong || !listed.below.hidden || listed.below.history === true) return false
  const { paths, below } = listed
  const around = paths.some((path) => (directories ?? [cwd]).some((at) => isInside(resolveFrom(at, home, path), dir)))
  return around && disk !== undefined && holdsAny(dir, below.only, disk)
}

/** `echo .*`, `a=(.*)`, `: .*` in front of `$_`: the command says or keeps names that a pattern finds. */
function shows({ words, assignments }: ActionCommand, finds: (pattern: string) => boolean): boolean {
  const name = commandName(words)
  const set = setsVariables(name) ? [...assignments, ...words.map(({ text }) => text)] : assignments
  if (set.some((text) => /(?:=\(|\]\+?=).*[*?[]/s.test(text) && text.split(/[\s()=]+/).some(finds))) return true
  if (!/^(echo|printf|compgen|:|true|false)$/.test(name)) return false
  return words.some(({ value, glob }) => (glob || name === 'compgen') && finds(value ?? ''))
}

/** Files of these names lie in the directory, or nobody can say; without any name that is all of them. */
function holdsAny(directory: string, names: readonly string[], disk: Looking): boolean {
  if (names.length === 0) return true
  const inside = disk.below(directory)
  return inside === null || [directory, ...inside].some((path) => names.some((name) => named(path, name)))
}

function named(path: string, name: string): boolean {
  return mayFit(path.slice(path.lastIndexOf('/') + 1), name, { dot: true })
}

/** The directories of which a command of git takes what it ignores as well; the root where nobody knows them. */
function ignoredReached(command: ActionCommand, index: number, { paths, cwd }: Action): readonly string[] {
  if (cleansAll(command)) return reachesOut(command) ? ['/'] : (command.directories ?? [cwd])
  if (!addsIgnored(command)) return none
  const named = paths.filter((path) => path.of === 'operand' && path.command === index).flatMap(spots)
  return command.words.some(
    ({ value }) => value === null || /^(-[a-zA-Z]*A|--all|--pathspec-f|--stdin|--index-i)/.test(value),
  )
    ? [cwd, ...named]
    : named
}

/** `git add -f '*.key'`: for git a star stands for slashes too, and a colon says how the rest is meant. */
function addsFrom(closed: string, command: ActionCommand, { cwd, home, disk }: Action): boolean {
  if (!addsIgnored(command)) return false
  const specs = command.words.flatMap(({ value }) => (value !== null && /^:|[*?[]/.test(value) ? [value] : []))
  if (specs.length === 0) return false
  const inside = disk?.below(closed) ?? null
  if (inside === null || specs.some((spec) => spec.startsWith(':'))) return true
  const plain = (path: string): string => path.replaceAll('/', '|')
  return (command.directories ?? [cwd]).some((from) =>
    specs.some((spec) => {
      const pattern = plain(resolveFrom(from, home, spec))
      return [closed, ...inside].some((path) => mayFit(plain(path), pattern, { dot: true, nobrace: true, noext: true }))
    }),
  )
}

/** `git clean -x ..`, `git --work-tree=/ clean -x`: more than what lies below the working directory. */
function reachesOut(command: ActionCommand): boolean {
  const { words } = command
  const operands = words.slice(words.findLastIndex(({ value }) => value === 'clean') + 1)
  if (operands.some(({ value }) => value === null || /^(:|\/|(.*\/)?\.\.(\/|$))/.test(value))) return true
  return placesSet(command).length > 0 || placesTold(unwrapped(words)).length > 1
}

function closedVerdict(reason: string, path: string): BoundsVerdict {
  return { behavior: 'deny', always: true, reason, path }
}
