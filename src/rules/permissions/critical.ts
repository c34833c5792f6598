import type { BashCommand } from '../shell/bash-command.ts'
import { withInstead, type BashWord } from '../shell/bash-word.ts'
import { isShell, writtenScripts } from '../shell/bash-scripts.ts'
import { commandName, fromXargs, programOf, starts, unwrapped, wrapsUnknown } from '../shell/bash-wrappers.ts'
import { shorterForms } from '../shell/open-texts.ts'
import { emptied } from '../disk/emptied-directories.ts'
import { editsFiles } from '../shell/file-editors.ts'
import { takenWhole } from '../paths/name-patterns.ts'
import { isInside, resolveFrom } from '../paths/path-inside.ts'
import { picks, removes, removesSources } from '../shell/bash-places.ts'
import { mountedPlaces, removalsTold, says, textsTold } from '../shell/lines/told-removals.ts'
import { renamedPrograms } from './new-links.ts'
import { spots, type Action, type ActionCommand, type ActionPath } from './action.ts'

/**
 * Commands that can take a whole machine down, or its disks, in one call. `dd`, `chmod`, `chown` and `chgrp` are critical
 * where they touch a device or a root. The managed policy may put another list in its place.
 */
export const criticalCommands: readonly string[] =
  `dd chmod chown chgrp mkfs mke2fs mkswap wipefs blkdiscard badblocks fdisk sfdisk cfdisk gdisk sgdisk cgdisk parted
  pvremove vgremove lvremove cryptsetup shutdown reboot halt poweroff kexec telinit`.split(/\s+/)
const usuallyCritical: ReadonlySet<string> = new Set(criticalCommands)

/** Files under /dev that anything may be written to. */
const harmless = /^\/dev\/(null|zero|full|random|urandom|tty|ptmx|std(in|out|err)|(fd|pts|shm|mqueue)(\/.*)?)$/
const ending = new Set(['poweroff', 'reboot', 'halt', 'kexec', 'soft-reboot', 'emergency', 'rescue'])

/** Asks in every mode about commands that nobody takes back: an erased disk, a machine that goes down, a root without rights. */
export function criticalCommand(action: Action, names: readonly string[] = criticalCommands): Critical | null {
  if (names.length === 0) return null
  const written = action.paths.find((path) => path.access === 'edit' && spots(path).some(isDevice))
  if (written !== undefined) return asks('it would write to a device', written.path)
  const told = action.commands.find(mayWriteDevice)
  if (told !== undefined) return asks(`${told.text} may write to a device`)
  const known = names === criticalCommands ? usuallyCritical : new Set(names)
  for (const [index, command] of action.commands.entries()) {
    for (const name of shorterForms(command).flatMap(programsIn)) {
      // Of `dd` only the device counts, which was looked for above.
      if (name === 'dd' || !known.has(name)) continue
      if (!/^ch(mod|own|grp)$/.test(name)) return asks(`${name} is critical for the whole machine`)
      const root = rootUnder(action, index) ?? rootLeft(command)
      if (root !== undefined && (isRecursive(command) || takesFound(command)))
        return asks('it would change the rights of a critical directory', root)
    }
    const called = programTold(command, names)
    if (called !== undefined) return asks(`${called} is critical for the whole machine`)
  }
  return names.includes('shutdown') ? endsBySystemd(action) : null
}

/** `find ~ -exec chmod 0 {} +`, `find ~ | xargs chmod 0`: all that lies below a directory is changed. */
function takesFound(command: ActionCommand): boolean {
  return commandName(unwrapped(command.words)) === 'find' ? !picks(command) : command.listed !== undefined
}

/** `dd $(echo of=/dev/sda)`, `cat x > ${y:-/dev/sda}`: of a word that only a running shell knows the text says a device. */
function mayWriteDevice({ words, redirects }: ActionCommand): boolean {
  if (redirects.some(({ access, word }) => access === 'edit' && saysDevice(word))) return true
  if (!words.some(saysDevice)) return false
  const inner = unwrapped(words)
  return editsFiles(inner) && inner.some((word, at) => at > 0 && saysDevice(word) && !/^"?if=/.test(word.text))
}

function saysDevice({ value, text }: BashWord): boolean {
  return value === null && (text.match(/\/dev\/[\w/-]*/g) ?? []).some(isDevice)
}

/** In front of a command in a program text: nothing, a sign that ends another one, or a call with the command in quotes. */
const beforeCommand =
  /(?:^|[;&|\n]|(?:system|exec\w*|spawn\w*|popen|run|call|check_\w+|qx)[^\w\s]{1,4}|`)\s*(?:sudo\s+)?(?:\/\S*\/)?/i

/** A program text, or a command with its words, and no single name. */
const severalWords = /[\s"'(]/

/** `perl -e 'system("shutdown now")'`, `ssh x 'sync; reboot'`: a critical command in a text that a program may run. */
function programTold(command: ActionCommand, names: readonly string[]): string | undefined {
  if (!says(command, severalWords)) return undefined
  const texts = textsTold(command).filter((text) => severalWords.test(text))
  if (texts.length === 0) return undefined
  const sought = names.filter((name) => !/^(dd|ch(mod|own|grp))$/.test(name))
  const named = sought.filter((name) => texts.some((text) => text.includes(name)))
  return named.find((name) =>
    texts.some((text) => new RegExp(`${beforeCommand.source}${name}(?=$|[.\\s"'\`;&|)])`, 'i').test(text)),
  )
}

function programsIn({ words }: BashCommand): readonly string[] {
  const inner = unwrapped(words)
  return starts(inner).map((at) => criticalName(inner[at]))
}

interface Critical {
  readonly behavior: 'ask'
  readonly always: true
  readonly reason: string
  readonly path?: string
}

function asks(reason: string, path?: string): Critical {
  return { behavior: 'ask', always: true, reason, ...(path === undefined ? {} : { path }) }
}

/** `mkfs.ext4` is mkfs. */
function criticalName(word: BashWord | undefined): string {
  const name = programOf(word)
  return name.startsWith('mkfs.') ? 'mkfs' : name
}

function endsBySystemd({ commands }: Action): Critical | null {
  const isEnd = ({ words }: BashCommand): boolean =>
    words.some(({ value }) => value?.endsWith('systemctl') === true && /(^|\/)systemctl$/.test(value)) &&
    words.some(({ value }) => ending.has(value ?? ''))
  return commands.some((command) => shorterForms(command).some(isEnd))
    ? asks('systemctl would end the whole machine')
    : null
}

/** `$DIR/`: where nobody has set the variable, the root is left. */
function rootLeft({ words }: ActionCommand): string | undefined {
  const isLeft = ({ value, text }: BashWord): boolean =>
    value === null && /^\/+[*./]*$/.test(withInstead(text, '')) && !/^["']?\//.test(text)
  return words.some(isLeft) ? '/' : undefined
}

function isDevice(path: string): boolean {
  return path.startsWith('/dev/') && !harmless.test(path)
}

function isRecursive({ words }: ActionCommand): boolean {
  return words.some(({ value, text }) =>
    value === null ? /-\w*R\b|--recursive/.test(text) : /^(-\w*R|--recursive)/.test(value),
  )
}

/** The root, what lies directly under it, home directories, and everything above the working directory. */
function rootUnder(action: Action, index: number): string | undefined {
  const { home, cwd } = action
  const named = operandsAt(index, action).filter(({ below }) => below === undefined || below.only.length === 0)
  const path = named
    .flatMap(takenBy)
    .map((spot) => spot.replace(/\/\*$/, '') || '/')
    .find(
      (path) =>
        isInside(path, home) ||
        (path.split('/').length <= 2 && path !== cwd) ||
        /^\/(home|Users)\/[^/]+$/.test(path) ||
        (path !== cwd && isInside(path, cwd)),
    )
  return path ?? emptiedPlace(named, action)
}

/** `echo 'rm -rf /' | sh`, `sh -c "rm -rf $x"`, `xargs rm <<< '-rf /'`, `find -files0-from - -delete`: a text says what is removed. */
function isToldToRemove({ words, fed = [] }: ActionCommand): boolean {
  const inner = fromXargs(words)
  if (commandName(inner) === 'find') return inner.some(({ value }) => value === '-files0-from') && deletes(inner)
  const isTold = fed.length > 0 && (commandName(inner) === 'xargs' || isShell(inner))
  if (!isTold && !writtenScripts(inner).unseen) return false
  const told = [...inner.map(({ value, text }) => value ?? text), ...fed].join(' ')
  return /(^|[^\w.-])rm\b/.test(told) && /\s-\w*[rR]|\s--r/.test(told)
}

function deletes(words: readonly BashWord[]): boolean {
  return words.some(({ value }) => value === '-delete')
}

/** Asks in every mode about removals of roots, homes and working directories, and about those of which nobody knows what they take. */
export function criticalRemoval(action: Action, directories: readonly string[]): Critical | null {
  const { home } = action
  const roots = [action.cwd, ...directories]
  for (const [index, command] of action.commands.entries()) {
    if (isToldToRemove(command)) return asks('what it would remove comes in from elsewhere')
    const [renamed] = renamedPrograms(command, action).filter((path) => path.endsWith('/rm'))
    if (renamed !== undefined) return asks('a program that removes files would get another name', renamed)
    const unknown = isUnknownRecursion(command)
    const path =
      toldToRemove(command, action).find((each) => isCritical(each, home, roots)) ??
      (unknown || removes(command) ? criticalTarget(index, action, roots) : criticalSource(index, action))
    if (path !== undefined) return asks('it would remove a critical directory', path)
    const isSure = command.found !== true && command.perhaps !== true
    if (isSure && !unknown && removes(command) && targetsUnknown(command))
      return asks('what it would remove is only known when it runs')
  }
  return null
}

/** The critical directory that a removal names, or all of which it takes. */
function criticalTarget(index: number, action: Action, roots: readonly string[]): string | undefined {
  const command = action.commands[index]
  const picked = command !== undefined && picks(command)
  // The files of a list are taken, and not the directory in which they lie.
  const isListed = ({ below, path }: ActionPath): boolean =>
    command?.listed !== undefined && below !== undefined && !(below.only.length === 0 && isPlace(path, action.home))
  const named = operandsAt(index, action).filter((path) => !isListed(path))
  const spot = named
    .flatMap((path) => [...takenBy(path), ...behindLinks(path.path, index, action)])
    .find((spot) => isCritical(spot, action.home, roots) && !(picked && isInside(action.cwd, spot)))
  if (spot !== undefined || picked || command === undefined) return spot
  return emptiedPlace(named, action) ?? (takesTrees(command) ? emptiedRoot(named, action, roots) : undefined)
}

/** `rm -rf ~/[a-z]*`: a home, or a directory of the system, of which most is taken. */
function emptiedPlace(named: readonly ActionPath[], { disk, home }: Action): string | undefined {
  if (disk === undefined) return undefined
  return emptied(named, disk).find(({ directory, most, single }) => most && !single && isPlace(directory, home))
    ?.directory
}

/** `rm -rf ./[!x]*`: a working directory of which patterns find most, trees included, or of which all is named. */
function emptiedRoot(named: readonly ActionPath[], { disk }: Action, roots: readonly string[]): string | undefined {
  if (disk === undefined) return undefined
  return emptied(named, disk).find(
    ({ directory, all, mostFound, trees, single }) =>
      ((all && !single) || (mostFound && trees)) && roots.some((root) => isInside(directory, disk(root))),
  )?.directory
}

/** The critical directory that a program would put away, or clean: `mv ~ x`. The project's own one is worked on in these ways. */
function criticalSource(index: number, action: Action): string | undefined {
  const command = action.commands[index]
  if (command === undefined || !removesSources(command)) return undefined
  const named = operandsAt(index, action).filter(({ placed }) => placed !== true)
  const words = unwrapped(command.words)
  const isTold = words.some(({ value }) => /^(-[a-zA-Z]*t|--t)/.test(value ?? ''))
  const taken = commandName(words) === 'mv' && !isTold ? named.slice(0, -1) : named
  return taken.flatMap(takenBy).find((spot) => isPlace(spot, action.home)) ?? emptiedPlace(taken, action)
}

/** `ln -s ~ h; rm -rf h/*`: where a path leads through a link that a command in front of it makes; any pattern finds all. */
function behindLinks(path: string, index: number, action: Action): readonly string[] {
  return action.commands.slice(0, index).flatMap((command, by) => {
    if (commandName(unwrapped(command.words)) !== 'ln') return []
    const own = operandsAt(by, action)
    const link = own.at(-1)?.path ?? path
    if (path === link || !isInside(link, path)) return []
    const rest = path.slice(link.length).replace(/\/[^/]*[*?[][^/]*$/, '')
    return own.slice(0, -1).map((target) => `${target.path}${rest}`)
  })
}

/** A home, a directory of the system, or what lies above them. */
function isPlace(path: string, home: string): boolean {
  return isInside(path, home) || systemPlace.test(path)
}

const systemPlace = /^\/(bin|boot|dev|etc|lib\w*|opt|root|sbin|sys|usr|var|(home|Users)(\/[^/]+)?)?$/

function operandsAt(index: number, { paths }: Action): readonly ActionPath[] {
  return paths.filter(({ of, command }) => of === 'operand' && command === index)
}

/** `-rf`, `--recursive` */
function takesTrees({ words }: Pick<ActionCommand, 'words'>): boolean {
  return words.some(({ value }) => recursively.test(value ?? ''))
}

const recursively = /^(-\w*[rR]|--recursive)/

/** `$(echo rm) -rf /`, `/bin/r? -rf /` */
function isUnknownRecursion({ words }: ActionCommand): boolean {
  const inner = unwrapped(words)
  if (inner[0]?.value !== null && inner[0]?.glob !== true && !wrapsUnknown(inner)) return false
  return takesTrees({ words: inner })
}

/** A recursive removal whose target is put together from expansions may be anything, the root included. */
function targetsUnknown(command: ActionCommand): boolean {
  const recursive = command.words.some(
    // Several words may come out of one: `-rf /`.
    ({ value, from, splits }) => (value === null ? from === undefined && splits : recursively.test(value)),
  )
  if (!recursive) return false
  if (/^(xargs|parallel)$/.test(commandName(command.words))) return true
  const operands = command.words.slice(1).filter((word) => !word.text.startsWith('-'))
  if (operands.some((word) => word.value === null || (word.glob && /(^|\/)\.\.(\/|$)/.test(word.value)))) return true
  return command.directories === null && operands.some((word) => !/^[/~]/.test(word.value ?? ''))
}

/** The root and what lies directly under it, home directories, the working directories and everything above them. */
function isCritical(spot: string, home: string, roots: readonly string[]): boolean {
  const path = takenWhole(spot) ?? spot
  if (isInside(path, home) || path.split('/').length <= 2) return true
  if (/^\/(home|Users)\/[^/]+$|^\/proc(\/|$)/.test(path)) return true
  return roots.some((root) => isInside(path, root))
}

/** The places of a path, and directories of which its pattern takes all. */
function takenBy(path: ActionPath): readonly string[] {
  return path.whole === undefined ? spots(path) : [...spots(path), ...path.whole]
}

/** The operands of recursive removals in texts that the program of a command may run. */
function toldToRemove(command: ActionCommand, { cwd, home }: Action): readonly string[] {
  const removed = removalsTold(command)
  const mounted = mountedPlaces(command)
  if (removed.length === 0 && mounted.length === 0) return []
  const resolved = (words: readonly string[]): readonly string[] =>
    (command.directories ?? [cwd]).flatMap((from) => words.map((word) => resolveFrom(from, home, word)))
  return [...resolved(removed), ...resolved(mounted).filter((path) => isPlace(path, home))]
}
