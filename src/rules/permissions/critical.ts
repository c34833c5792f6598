import type { BashCommand } from '../shell/bash-command.ts'
import { withInstead, type BashWord } from '../shell/bash-word.ts'
import { isShell, writtenScripts } from '../shell/bash-scripts.ts'
import { commandName, fromXargs, programName, starts, unwrapped } from '../shell/bash-wrappers.ts'
import { shorterForms } from '../shell/open-texts.ts'
import { isInside } from '../paths/path-inside.ts'
import { spots, type Action, type ActionCommand } from './action.ts'

/**
 * Commands that can take a whole machine down, or its disks, in one call. `dd`, `chmod`, `chown` and `chgrp` are critical
 * where they touch a device or a root. The managed policy may put another list in its place.
 */
export const criticalCommands: readonly string[] =
  `dd chmod chown chgrp mkfs mke2fs mkswap wipefs blkdiscard badblocks fdisk sfdisk cfdisk gdisk sgdisk cgdisk parted
  pvremove vgremove lvremove cryptsetup shutdown reboot halt poweroff kexec telinit`.split(/\s+/)

/** Files under /dev that anything may be written to. */
const harmless = /^\/dev\/(null|zero|full|random|urandom|tty|ptmx|std(in|out|err)|(fd|pts|shm|mqueue)(\/.*)?)$/
const ending = new Set(['poweroff', 'reboot', 'halt', 'kexec', 'soft-reboot', 'emergency', 'rescue'])

/** Asks in every mode about commands that nobody takes back: an erased disk, a machine that goes down, a root without rights. */
export function criticalCommand(action: Action, names: readonly string[] = criticalCommands): Critical | null {
  const written =
    names.length === 0 ? undefined : action.paths.find((path) => path.access === 'edit' && spots(path).some(isDevice))
  if (written !== undefined) return asks('it would write to a device', written.path)
  for (const [index, command] of action.commands.entries()) {
    for (const name of shorterForms(command).flatMap(programsIn)) {
      // Of `dd` only the device counts, which was looked for above.
      if (name === 'dd' || !names.includes(name)) continue
      if (!/^ch(mod|own|grp)$/.test(name)) return asks(`${name} is critical for the whole machine`)
      const root = rootUnder(action, index) ?? rootLeft(command)
      if (root !== undefined && isRecursive(command))
        return asks('it would change the rights of a critical directory', root)
    }
  }
  return names.includes('shutdown') ? endsBySystemd(action) : null
}

function programsIn({ words }: BashCommand): readonly string[] {
  const inner = unwrapped(words)
  return starts(inner).map((at) => criticalName(inner[at]?.value ?? ''))
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
function criticalName(word: string): string {
  const name = programName(word)
  return name.startsWith('mkfs.') ? 'mkfs' : name
}

function endsBySystemd({ commands }: Action): Critical | null {
  const isEnd = ({ words }: BashCommand): boolean =>
    words.some(({ value }) => value?.endsWith('systemctl') === true && /(^|\/)systemctl$/.test(value)) &&
    words.some(({ value }) => ending.has(value ?? ''))
  return commands.flatMap(shorterForms).some(isEnd) ? asks('systemctl would end the whole machine') : null
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
  return words.some(({ value, text }) => /^(-\w*R|--recursive)/.test(value ?? text))
}

/** The root, what lies directly under it, home directories, and everything above the working directory. */
function rootUnder(action: Action, index: number): string | undefined {
  const { home, cwd } = action
  return action.paths
    .filter(({ command, of }) => command === index && of === 'operand')
    .flatMap(spots)
    .map((spot) => spot.replace(/\/\*$/, '') || '/')
    .find(
      (path) =>
        isInside(path, home) ||
        (path.split('/').length <= 2 && path !== cwd) ||
        /^\/(home|Users)\/[^/]+$/.test(path) ||
        (path !== cwd && isInside(path, cwd)),
    )
}

/** `echo 'rm -rf /' | sh`, `sh -c "rm -rf $x"`, `xargs rm <<< '-rf /'`, `find -files0-from - -delete`: a text says what is removed. */
export function isToldToRemove({ words, fed = [] }: ActionCommand): boolean {
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
