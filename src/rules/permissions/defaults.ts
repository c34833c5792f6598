import type { Policy } from '../../protocol/permissions/permission.ts'
import { editsFiles } from '../shell/file-editors.ts'
import { onlyLooks } from '../shell/bash-places.ts'
import { hasHarmlessEnvironment } from '../shell/bash-runners.ts'
import { commandName, programsSought, runningWords, unwrapped } from '../shell/bash-wrappers.ts'
import { directsCommands, partInside } from '../paths/configuring-files.ts'
import { mayStartPrograms } from '../paths/git-settings.ts'
import { holdsPrograms, hidesProgram, mayBeOwn, programFound, type ProgramSearch } from '../paths/own-programs.ts'
import { type Places, isInside, resolveFrom } from '../paths/path-inside.ts'
import type { Action, ActionCommand, ActionPath } from './action.ts'
import { isSure, spots } from './action.ts'
import { isAboveOpen } from './closed-places.ts'
import { belowThrough } from '../disk/link-targets.ts'
import { targetsOfListed } from '../disk/listed-files.ts'
import { repositoryOf } from '../disk/repositories.ts'
import { runsMade, whereItLeads } from './new-links.ts'
import { commandPermit, permitsCall, permitsLine, permitsPath, type ReadyRule } from './match.ts'
import { verbAt } from '../shell/reach.ts'
import { isCountingLine, isPlainRunner, isPlainSed, isReadOnlyCommand } from '../shell/read-only-commands.ts'

/** One thing that a call needs permission for; a call is allowed when every one of them is. */
export interface PermissionNeed {
  /** In words that follow "before": `running npm test`. */
  what(): string
  readonly where: { readonly path?: string }
  /** The mode grants it without a rule. */
  granted(): boolean
  permittedBy(rule: ReadyRule, places: Places): boolean
}

/** Breaks a call down into what needs permission, with what the mode grants by itself. */
export function needsOf(action: Action, policy: Policy): readonly PermissionNeed[] {
  if (action.tool === 'Bash') return bashNeeds(action, policy)
  if (action.paths.length > 0 && action.foreign !== true)
    return action.paths.map((path) => pathNeed(path, action, policy))
  const [host] = action.hosts
  return [
    {
      what: () => calling(action),
      where: host === undefined ? {} : { path: host },
      granted: () => action.destructive !== true && (action.kind === 'team' || action.kind === 'none'),
      permittedBy: (rule) => permitsCall(rule, action),
    },
  ]
}

function calling({ tool, hosts: [host], reaches }: Action): string {
  if (reaches === undefined) return host === undefined ? `calling ${tool}` : `contacting ${host}`
  const sent = reaches.variables.map((each) => `$${each}`).join(', ')
  return `calling ${tool}, which sends its input${sent === '' ? '' : ` and ${sent}`} to ${reaches.url}`
}

function bashNeeds(action: Action, policy: Policy): PermissionNeed[] {
  let made: readonly [ActionCommand | undefined] | undefined
  const search = searchOf(action, policy)
  const needs: PermissionNeed[] = []
  for (const [index, command] of action.commands.entries()) {
    // A script needs no permission of its own: the command that holds its text is asked for as a whole.
    if (command.within === true) continue
    needs.push({
      what: () =>
        `running ${command.text === '' ? 'a group of commands' : command.text}${whoseProgram(command, search)}${whoseSettings(command, action)}`,
      where: {},
      granted() {
        if (!isGranted(command, { index, action, policy, search }) || ownProgramOf(command, search) !== null)
          return false
        // `cp x bin/ls; ls`: another program than the one that only reads.
        made ??= [runsMade(action)]
        return made[0] !== command
      },
      permittedBy: commandPermit(command, action, () => !isOwnRepository(command, { action, policy })),
    })
  }
  for (const path of action.paths) {
    const isOwn = path.command === undefined || action.commands[path.command]?.within !== true
    if (path.of === 'redirect' && isOwn) needs.push(pathNeed(path, action, policy))
  }
  return needs
}

/** Where programs of the project would be found; null where nobody knows, or none can be. */
function searchOf({ searched = [], disk }: Action, { directories, bounds }: Policy): ProgramSearch | null {
  const writable = [...directories, ...(bounds.sealed ?? [])]
  if (disk?.entries === undefined || !searched.some((entry) => mayBeOwn(entry, writable))) return null
  const find = (path: string): string | null => {
    const file = whereItLeads(path, disk)
    return disk.kindAt(file) === 'file' ? file : null
  }
  return { searched, writable, find }
}

/** The file of the project that runs under the name of a known program: it may do anything. */
function ownProgramOf({ words, directories }: ActionCommand, search: ProgramSearch | null): string | null {
  if (search === null || directories === null) return null
  for (const name of programsSought(words)) {
    const found = programFound(name, directories, search)
    if (found !== null) return found
  }
  return null
}

function whoseProgram(command: ActionCommand, search: ProgramSearch | null): string {
  const own = ownProgramOf(command, search)
  return own === null ? '' : `, which the PATH finds at ${own}`
}

function pathNeed(path: ActionPath, action: Action, policy: Policy): PermissionNeed {
  const { tool } = action
  const search = searchOf(action, policy)
  const why = (): string =>
    policy.mode === 'acceptEdits' && directs(path, { action, policy, search }) ? ', which says what commands do' : ''
  return {
    what: () => (path.access === 'edit' ? `changing ${path.path}${why()}` : `reading ${path.path}`),
    where: { path: path.path },
    granted: () => (path.access === 'read' || mayEdit(path, { action, policy, search })) && isWithin(path, policy),
    permittedBy: (rule, places) => opensShell(rule, action) || permitsPath(rule, path, { tool, places }),
  }
}

interface Change {
  readonly action: Action
  readonly policy: Policy
  readonly search: ProgramSearch | null
}

function mayEdit(path: ActionPath, change: Change): boolean {
  return change.policy.mode === 'acceptEdits' && !directs(path, change)
}

/** The file says what usual commands do; or a name means it from now on, and meant a program. */
function directs(path: ActionPath, { action, policy: { directories }, search }: Change): boolean {
  const maker = action.commands[path.command ?? -1]
  const places = maker !== undefined && /^(cp|mv)$/.test(commandName(unwrapped(maker.words)))
  return spots(path).some(
    (spot) =>
      directsCommands(partInside(spot, directories)) ||
      (search !== null && (hidesProgram(spot, search) || (places && holdsPrograms(spot, search)))),
  )
}

/** A rule for any command, or for just this line, also lets the shell write the file. */
function opensShell({ rule }: ReadyRule, action: Action): boolean {
  return action.tool === 'Bash' && rule.tool === 'Bash' && (rule.kind === 'tool' || permitsLine(rule, action))
}

function isWithin(path: ActionPath, policy: Policy): boolean {
  return (
    isSure(path) &&
    path.option === undefined &&
    spots(path).every((spot) => policy.directories.some((directory) => isInside(directory, spot)))
  )
}

/** `diff docs old`: the files of the directories are opened, and with them the files to which links among these lead. */
function linksStay(path: ActionPath, { disk }: Action, { directories }: Policy): boolean {
  const { below } = path
  if (below?.links === undefined || disk?.entries === undefined) return true
  return spots(path).every((at) => {
    const led = below.links === 'through' ? belowThrough(at, disk) : targetsOfListed(at, below, disk)
    return led?.every((file) => file !== null && directories.some((dir) => isInside(dir, file))) === true
  })
}

interface CommandCall extends Change {
  readonly index: number
}

function isGranted(command: ActionCommand, { index, action, policy, search }: CommandCall): boolean {
  const words = runningWords(command.words)
  const isBare = words === command.words
  const plain = isBare ? command : { ...command, words }
  const counts = isCountingLine(action.input['command'])
  const runs = !counts && isPlainRunner(plain)
  const reads = runs || isReadOnlyCommand(plain, isBare ? command.hides : undefined)
  if (!counts && !reads && !(policy.mode === 'acceptEdits' && isFileCommand(plain))) return false
  const looks = onlyLooks(command)
  const isOpen = (path: ActionPath): boolean =>
    isWithin(path, policy) || (looks && isSure(path) && spots(path).every((at) => isAboveOpen(at, policy.bounds)))
  if (command.directories === null || !command.directories.every((dir) => isOpen(spot(dir)))) return false
  const paths = action.paths.filter((path) => path.of === 'operand' && path.command === index)
  const mayLie = (path: ActionPath): boolean => isOpen(path) || (path.loose === true && !runs)
  if (!paths.every((path) => mayLie(path) && linksStay(path, action, policy))) return false
  // Without a look at the disk nobody knows whether the names of a list stay words.
  if (runs && commandName(words) === 'xargs' && action.disk?.entries === undefined) return false
  if (!placesListed(command, action).every((dir) => isOpen(spot(dir)))) return false
  if (counts) return true
  if (reads && commandName(words) === 'git')
    return isOwnRepository(command, { action, policy }) && armedRepository(command, action) === null
  if (reads) return true
  return paths.every((path) => path.access === 'read' || mayEdit(path, { action, policy, search }))
}

/** Another repository, or a folder that looks like one, may be configured to run commands. */
function isOwnRepository(command: ActionCommand, { action, policy }: Pick<Change, 'action' | 'policy'>): boolean {
  const { disk, cwd } = action
  const directories = placesOfGit(command, action)
  if (directories === null) return false
  // A repository may have been made on the way there.
  const elsewhere = directories.some((dir) => dir !== cwd)
  if (elsewhere && action.paths.some(({ access, loose }) => access === 'edit' && loose !== true)) return false
  if (disk?.entries === undefined) return directories.every((dir) => dir === cwd)
  const own = policy.directories.map((dir) => disk(dir))
  return directories.every((dir) => {
    const found = repositoryOf(dir, disk)
    if (found === null) return true
    return !found.bare && (found.linked || own.some((root) => isInside(found.root, root)))
  })
}

/** A repository of whose settings some may start a program: a rule allows that, and not the mode by itself. */
function armedRepository(command: ActionCommand, action: Action): string | null {
  const { disk } = action
  const text = disk?.text
  if (disk?.entries === undefined || text === undefined) return null
  const roots = (placesOfGit(command, action) ?? []).flatMap((dir) => repositoryOf(dir, disk)?.root ?? [])
  return roots.find((root) => mayStartPrograms(root, { ...disk, text })) ?? null
}

/** The reason why git is asked about where the project is its own. */
function whoseSettings(command: ActionCommand, action: Action): string {
  const armed = commandName(unwrapped(command.words)) === 'git' ? armedRepository(command, action) : null
  return armed === null ? '' : `, where the settings of the repository at ${armed} may start a program`
}

/** `git -C sub log` works in another directory. */
function placesOfGit({ directories, words }: ActionCommand, { home }: Action): readonly string[] | null {
  if (directories === null) return null
  const inner = unwrapped(words)
  // Behind the subcommand the same letter means something else.
  const options = words.slice(0, words.length - inner.length + verbAt(inner))
  let places = directories
  for (const [at, { value }] of options.entries()) {
    if (words[at - 1]?.value !== '-C') continue
    if (value === null) return null
    places = places.map((place) => resolveFrom(place, home, value))
  }
  return places
}

/** The directories of which `echo ~/x/*` shows the names, and `x=(~/x/*)` keeps them. */
function placesListed(command: ActionCommand, { cwd, home, disk }: Action): readonly string[] {
  const { words, assignments, directories } = command
  const named = words.slice(1).flatMap(({ value, glob }) => (glob && value !== null ? [value] : []))
  const kept = assignments.flatMap((text) => /^\w+\+?=\(([\s\S]*)\)$/.exec(text)?.[1]?.split(/\s+/) ?? [])
  // The names that bash puts into an array are not worked out here.
  const listed = kept.filter((text) => /[*?[]/.test(text)).map((text) => (/[$"'`\\{]/.test(text) ? '/*' : text))
  return [...named, ...listed].flatMap((value) => {
    const [steady = ''] = value.split(/[*?[]/, 1)
    const place = steady.slice(0, steady.lastIndexOf('/') + 1) || '.'
    const climbs = /(^|\/)\.\.(\/|$)/.test(value.slice(steady.length)) ? ['/'] : []
    return [...(directories ?? [cwd]).map((from) => resolveFrom(from, home, place)), ...climbs].map(
      (dir) => disk?.(dir) ?? dir,
    )
  })
}

function spot(path: string): ActionPath {
  return { path, access: 'read', of: 'operand' }
}

/** The file commands that `acceptEdits` includes: plain, spelled out, and with nothing glued to their flags. */
function isFileCommand(command: ActionCommand): boolean {
  if (!hasHarmlessEnvironment(command)) return false
  if (!command.words.every((word) => word.value !== null && !word.glob)) return false
  if (isPlainSed(command.words)) return true
  return fileCommands.has(command.words[0]?.value ?? '')
}

const fileCommands = new Set(['mkdir', 'touch', 'rm', 'rmdir', 'mv', 'cp'])

/** Says whether a call is sure to change files: what plan mode denies. */
export function changesFiles(action: Action): boolean {
  if (action.kind === 'edit') return true
  if (action.paths.some((path) => path.of !== 'tool' && path.access === 'edit' && path.loose !== true)) return true
  return action.commands.some((command) => editsFiles(unwrapped(command.words)))
}
