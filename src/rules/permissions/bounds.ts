import type { Bounds, Policy } from '../../protocol/permissions/permission.ts'
import { changesOperands, changesShared, placesChanged, removes } from '../shell/bash-places.ts'
import { commandName, unwrapped } from '../shell/bash-wrappers.ts'
import { copiers, editsFiles } from '../shell/file-editors.ts'
import { configuresTools, partInside } from '../paths/configuring-files.ts'
import { hooksPlace } from '../paths/git-settings.ts'
import { judgeHosts } from './blocked-hosts.ts'
import { isInside, resolveFrom } from '../paths/path-inside.ts'
import { closedInside, isClosed, isIn } from './closed-places.ts'
import { criticalCommand, criticalRemoval } from './critical.ts'
import { isExcluded, leavesSandbox } from './sandboxed-commands.ts'
import { perhapsPersonsCommand, personsCommand } from './persons-commands.ts'
import { givenFiles } from './match.ts'
import { belowThrough, targetsOf } from '../disk/link-targets.ts'
import { repositoryOf } from '../disk/repositories.ts'
import { spots, type Action, type ActionCommand, type ActionPath, type BoundsVerdict } from './action.ts'

/**
 * Applies what holds in every mode: protected directories, the team's scope, blocked hosts, critical removals and
 * commands; and, unless permissions are bypassed, files that configure tools.
 *
 * @returns null when the bounds have nothing against the call.
 */
export function judgeBounds(action: Action, policy: Policy): BoundsVerdict | null {
  const { bounds } = policy
  for (const path of action.paths) {
    if (isOpened(path, action, bounds)) continue
    const verdict = isClosed(path, action, bounds) ?? isOutside(path, bounds)
    if (verdict !== null) return verdict
  }
  const acting = personsCommand(action)
  if (acting !== undefined)
    return { behavior: 'deny', always: true, reason: `${acting.text} is for a person, not for a member` }
  return (
    judgeHosts(action, bounds) ??
    sealedChange(action, bounds) ??
    closedInside(action, bounds) ??
    unprovenScope(action, bounds) ??
    unseenCommand(action) ??
    perhapsActing(action) ??
    criticalRemoval(action, policy.directories) ??
    criticalCommand(action, bounds.critical) ??
    guardedEdit(action, policy.directories) ??
    leaving(action, policy) ??
    attended(action)
  )
}

/** A program that nobody can see may be Troupe, which is told what a person says. */
function perhapsActing(action: Action): BoundsVerdict | null {
  const { text } = perhapsPersonsCommand(action) ?? {}
  return text === undefined ? null : { behavior: 'ask', always: true, reason: `${text} may be for a person` }
}

/** A command that nobody sees may remove, or end, anything. */
function unseenCommand({ unseen, unparsable = '' }: Action): BoundsVerdict | null {
  return unseen === true ? { behavior: 'ask', always: true, reason: unparsable } : null
}

/** The way out of a sandbox is asked about, whatever allows the command. */
function leaving({ tool, input, commands }: Action, { sandboxed }: Policy): BoundsVerdict | null {
  if (tool !== 'Bash' || sandboxed === undefined) return null
  const asks = { behavior: 'ask', always: true } as const
  if (leavesSandbox(input)) return { ...asks, reason: 'it would run outside of the sandbox' }
  const excluded = isExcluded(commands, sandboxed.excluded)
  return excluded ? { ...asks, reason: 'it would run outside of the sandbox, as excludedCommands say' } : null
}

/** No rule, mode or classifier approves a plan, or stands in for the person that a tool wants there. */
function attended({ tool, interactive }: Action): BoundsVerdict | null {
  if (interactive === true) return { behavior: 'ask', always: true, reason: `${tool} wants a person at every call` }
  return tool === 'ExitPlanMode' ? { behavior: 'ask', always: true, reason: 'a person approves the plan' } : null
}

/** The path lies in a directory that tools may read although the directory around it is closed. */
function isOpened(found: ActionPath, { commands }: Action, { readable = [], runnable = [] }: Bounds): boolean {
  if (found.access !== 'read' || (readable.length === 0 && runnable.length === 0)) return false
  const command = found.command === undefined ? undefined : commands[found.command]
  const isKept = command === undefined || !(removes(command) || changesOperands(command))
  const open = [...(found.of === 'tool' ? readable : []), ...(isKept ? runnable : [])]
  return open.some((dir) => spots(found).every((path) => isInside(dir, path)))
}

/** A change of the checkout around a member's worktree, which no mode permits. */
function sealedChange(action: Action, bounds: Bounds): BoundsVerdict | null {
  const { sealed = [] } = bounds
  if (sealed.length === 0) return null
  const isSealed = (path: string): boolean => sealed.some((dir) => isIn(dir, path, bounds))
  for (const found of action.paths) {
    const command = found.command === undefined ? undefined : action.commands[found.command]
    const changed = found.access === 'edit' || (command !== undefined && (removes(command) || changesOperands(command)))
    const path = changed ? spots(found).find(isSealed) : undefined
    if (path !== undefined) return deny('the checkout around the worktree can be read and not changed', path)
  }
  for (const command of action.commands) {
    const { directories } = command
    const start = { directories: directories ?? [action.cwd], home: action.home }
    const path = placesChanged(command, start).find(isSealed)
    if (path !== undefined) return deny(`${command.text} would work outside of the worktree`, path)
    if (changesShared(command))
      return deny(
        `${command.text} changes what all worktrees share; git -c NAME=VALUE holds for one command`,
        action.cwd,
      )
  }
  return null
}

function isOutside(found: ActionPath, bounds: Bounds): BoundsVerdict | null {
  if (bounds.scope.length === 0 || found.loose === true) return null
  const outside = spots(found).find((path) => !bounds.scope.some((dir) => isInside(dir, path)))
  return outside === undefined ? null : deny("it lies outside the team's scope", outside)
}

function unprovenScope(action: Action, bounds: Bounds): BoundsVerdict | null {
  if (bounds.scope.length === 0) return null
  const climbing = action.paths.find(({ climbs }) => climbs !== undefined)
  const lost = action.commands.some(({ directories }) => directories === null)
  const vague = action.paths.find(
    (path) => (path.vague === true && path.loose !== true) || leadsOut(path, action, bounds),
  )
  const unseen = action.commands.find((command) => command.hazard !== undefined || namesUnknown(command))
  const why =
    action.unparsable ??
    (climbing && `the .. of ${climbing.path} may follow a link`) ??
    (vague && `where ${vague.path} leads is only known when it runs`) ??
    (unseen && `what ${unseen.text} names is only known when it runs`) ??
    (lost ? 'a cd leads to an unknown directory' : undefined)
  if (why === undefined) return null
  return { behavior: 'ask', always: true, reason: `it cannot be shown to stay inside the scope: ${why}` }
}

/** A link in a directory whose files are opened leads out of the scope. */
function leadsOut({ below, ...found }: ActionPath, { disk }: Action, { scope }: Bounds): boolean {
  if (below?.links === undefined || disk === undefined) return false
  return spots(found).some((spot) => {
    const led = below.links === 'through' ? belowThrough(spot, disk) : targetsOf(disk.below(spot) ?? [], disk)
    return led === null || led.some((path) => path === null || !scope.some((dir) => isInside(dir, path)))
  })
}

const talkers = /^(echo|printf|true|false|:|test|\[|\[\[|\(\(|let|sleep|exit|break|continue|wait|seq|read)$/

function namesUnknown({ words, found, listed }: ActionCommand): boolean {
  if (talkers.test(commandName(words))) return false
  // The files that find gives to a command lie in a place that is known, those of xargs do not.
  if (found === true) return listed === undefined
  return words.some(({ value, from }) => value === null && from !== 'number' && from !== 'pipe')
}

function deny(reason: string, path: string): BoundsVerdict {
  return { behavior: 'deny', always: true, reason, path }
}

function guardedEdit(action: Action, directories: readonly string[]): BoundsVerdict | null {
  const hooks = action.paths.length === 0 ? [] : hooksTold(action, directories)
  const guarded = (found: ActionPath): string | undefined =>
    spots(found).find((spot) => isGuarded(spot, directories) || hooks.some((dir) => isInside(dir, spot)))
  for (const found of action.paths) {
    if (found.access !== 'edit') continue
    const path =
      found.loose === true
        ? listedInGuarded(found, directories)
        : (guarded(found) ?? guardedBelow(found, action, directories))
    if (path !== undefined) return asksGuarded(path)
  }
  const led = ledIntoGuarded(action).find((path) => isGuarded(path, directories))
  if (led !== undefined) return asksGuarded(led)
  // A program that nobody knows may change the files that it gets.
  const read = action.paths.filter(
    (path) => path.access === 'read' && path.loose !== true && guarded(path) !== undefined,
  )
  const given = read.length === 0 ? [] : givenFiles({ ...action, paths: read })
  const [path] = given.filter((each) => !isConfiguration(each, action)).flatMap((each) => guarded(each) ?? [])
  return path === undefined ? null : asksGuarded(path)
}

/** `.githooks`: where git takes hooks from, as the settings of the repository say. */
function hooksTold({ disk, home }: Action, directories: readonly string[]): readonly string[] {
  const text = disk?.text
  if (disk?.entries === undefined || text === undefined) return []
  return directories.flatMap((directory) => {
    const root = repositoryOf(directory, disk)?.root
    const place = root === undefined ? null : hooksPlace(root, home, { ...disk, text })
    // Hooks between all other files: these are not taken for hooks.
    return place === null || isInside(place, directory) ? [] : [place]
  })
}

function asksGuarded(path: string): BoundsVerdict {
  return { behavior: 'ask', always: false, reason: 'the file configures what tools run', path }
}

/** Behind such an option stands a file that the program reads: its configuration, or the key of a person. */
const readOption = /^(--[\w-]*(config|config-file|rc|rcfile|settings|identity-file)(=|$)|-[iF]$)/

/** `npm ci --userconfig .npmrc`, `ssh -i ~/.ssh/id host` */
function isConfiguration({ path, command = -1 }: ActionPath, { commands }: Action): boolean {
  const { words = [] } = commands[command] ?? {}
  const isSsh = commandName(words) === 'ssh'
  return words.some(({ value }, at) => {
    const option = readOption.exec(value ?? '')?.[0]
    if (option === undefined || (option.length === 2 && !isSsh)) return false
    const file = option.endsWith('=') ? value?.slice(option.length) : words[at + 1]?.value
    return file !== undefined && file !== null && path.endsWith(file.replace(/^(~|\.\.?)(?=\/)/, ''))
  })
}

/** `ls .git | xargs touch`: files of a list, in a directory whose files configure tools; those of git in a program text. */
function listedInGuarded(found: ActionPath, directories: readonly string[]): string | undefined {
  if (found.below !== undefined) return spots(found).find((spot) => isGuarded(`${spot}/any`, directories))
  return spots(found).find((spot) => /\/\.git\/./.test(spot) && isGuarded(spot, directories))
}

/** `touch ".git/$x"`, `find . -name .git -exec touch {}/x \;`: files of which the line says in which directory they lie. */
function ledIntoGuarded({ commands, paths, home, cwd }: Action): readonly string[] {
  return commands.flatMap(({ words, directories, found }, index) => {
    const inner = unwrapped(words)
    if (!editsFiles(inner)) return []
    // A copy leaves what it reads.
    const copies = copiers.has(commandName(inner)) && !inner.some(({ text }) => /^(-[a-zA-Z]*t|--t)/.test(text))
    return inner.slice(copies ? -1 : 1).flatMap(({ value, text }) => {
      if (value !== null) return []
      const [, place] = /^"?((?:\$HOME\/|\$\{HOME\}\/)?[\w.~/-]*\/)/.exec(text) ?? []
      const named = place?.replace(/^\$\{?HOME\}?/, '~')
      const from = directories ?? [cwd]
      const below = found === true ? /^\{\}\/(.+)/.exec(text)?.[1] : undefined
      return [
        ...(named === undefined ? [] : from.map((dir) => `${resolveFrom(dir, home, named)}/any`)),
        ...(below === undefined ? [] : foundIn(index, paths).map((dir) => resolveFrom(dir, home, below))),
      ]
    })
  })
}

/** The directories of the names that `find` gives to a command. */
function foundIn(index: number, paths: readonly ActionPath[]): readonly string[] {
  return paths
    .filter(({ command, below }) => command === index && below !== undefined)
    .flatMap(({ path, below }) => [path, ...(below?.only ?? []).map((name) => `${path}/${name}`)])
}

/** A directory that gets another name takes along what lies in it. */
function guardedBelow(found: ActionPath, { disk }: Action, directories: readonly string[]): string | undefined {
  if (found.below === undefined || found.below.changes === true || disk === undefined) return undefined
  for (const spot of spots(found)) {
    const inside = disk.below(spot)
    if (inside === null) return spot
    const path = inside.find((each) => isGuarded(each, directories))
    if (path !== undefined) return path
  }
  return undefined
}

function isGuarded(path: string, directories: readonly string[]): boolean {
  return configuresTools(partInside(path, directories))
}
