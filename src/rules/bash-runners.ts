import type { BashCommand } from './bash-commands.ts'
import type { BashWord } from './bash-word.ts'

/** Commands that run the command in their arguments: a deny rule looks through all of them. */
const wrappers = new Set(
  `timeout time nice nohup stdbuf xargs env watch ionice setsid sudo doas command exec builtin find fd fdfind parallel
  busybox chroot flock strace ltrace unshare nsenter taskset chrt script su runuser`.split(/\s+/),
)

/** Wrappers that an allow rule for the inner command does not reach and whose own prefix rule would open everything. */
const needExactRule = new Set(
  'env watch ionice setsid flock unshare nsenter strace ltrace taskset chrt script parallel xargs'.split(' '),
)

/** What runs text that is not on the line: a script, an input, a trap. */
const hiders = new Set('source . parallel watch trap enable hash alias ssh su eval'.split(' '))
const shells = new Set(['bash', 'sh', 'dash', 'zsh', 'ksh', 'fish'])

/** Builtins that evaluate array subscripts in their arguments, commands inside them included. */
const subscripted = new Set(
  'read declare typeset local export readonly printf test [ [[ (( unset let mapfile wait'.split(' '),
)

/** Variables that change how output looks, never what runs. */
const harmlessVariables =
  /^(NO_COLOR|FORCE_COLOR|CLICOLOR|COLORTERM|TERM|COLUMNS|LINES|LANG|LANGUAGE|LC_[A-Z]+|TZ|CI|NODE_ENV|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|GOOS|GOARCH|CGO_ENABLED)=/

const findActions = /^-(exec|ok|delete|fprint|fls|files0-from)/

/** `/usr/bin/rm` → `rm`; empty when the name is only known at run time. */
export function commandName(words: readonly BashWord[]): string {
  const value = words[0]?.value ?? ''
  return value.slice(value.lastIndexOf('/') + 1)
}

/** Every assignment before the command sets a variable that cannot change what runs. */
export function hasHarmlessEnvironment(command: BashCommand): boolean {
  return command.assignments.every((assignment) => harmlessVariables.test(assignment) && !/[$`]/.test(assignment))
}

/**
 * The words that really run, behind `timeout 5`, `nohup`, `nice`, `stdbuf`, `time` and a bare `xargs`.
 *
 * @example `timeout 30 npm test` → `npm test`
 */
export function unwrapped(words: readonly BashWord[]): readonly BashWord[] {
  const values = words.map((word) => word.value ?? '$')
  const skip = wrapperLength(values)
  return skip === 0 || skip >= words.length ? words : unwrapped(words.slice(skip))
}

function wrapperLength(values: readonly string[]): number {
  const first = values[1] ?? '-'
  switch (values[0]) {
    case 'nohup':
    case 'xargs':
      return first.startsWith('-') ? 0 : 1
    case 'time':
      return first === '-p' ? 2 : 1
    case 'nice':
      if (first === '-n') return 3
      return /^-n?\d+$/.test(first) ? 2 : Number(!first.startsWith('-'))
    case 'stdbuf': {
      const end = values.findIndex((value, i) => i > 0 && !/^-[ioe](L|\d+[KMG]?)$/.test(value))
      return end > 1 ? end : 0
    }
    case 'timeout':
      return timeoutLength(values)
    default:
      return 0
  }
}

function timeoutLength(values: readonly string[]): number {
  let at = 1
  while (values[at]?.startsWith('-') === true) {
    const flag = values[at] ?? ''
    if (flag === '-k' || flag === '-s') at += 2
    else if (/^--(foreground|preserve-status|verbose|kill-after=.*|signal=.*)$|^-v$/.test(flag)) at += 1
    else return 0
  }
  return /^[\d.]+[smhd]?$/.test(values[at] ?? '') ? at + 1 : 0
}

/** All spellings under which a deny or ask rule may know a command: written, unquoted, and behind every wrapper. */
export function spellings(command: BashCommand): readonly string[] {
  const found = new Set([command.text])
  const { words } = command
  for (let at = 0; at < words.length; at += 1) {
    const rest = words.slice(at)
    const values = rest.map((word) => word.value ?? word.text)
    found.add(rest.map((word) => word.text).join(' '))
    found.add(values.join(' '))
    found.add([commandName(rest), ...values.slice(1)].join(' '))
    if (at === 0 && !wrappers.has(commandName(words))) break
  }
  return [...found]
}

/** The spellings to which an allow rule applies; empty when only a rule for the whole tool may allow the command. */
export function allowableSpellings(command: BashCommand): readonly string[] {
  if (runsUnseen(command) || evaluatesSubscripts(command)) return []
  const inner = unwrapped(command.words)
  const text = inner.map((word) => word.text).join(' ')
  return hasHarmlessEnvironment(command) ? [command.text, text] : [command.text]
}

/** A prefix rule cannot approve it: what it runs is anything at all. */
export function needsExactRule(command: BashCommand): boolean {
  const inner = unwrapped(command.words)
  if (needExactRule.has(commandName(inner))) return true
  const finds = /^(find|fd|fdfind)$/.test(commandName(inner))
  return (
    finds &&
    inner.some((word) => word.value === null || findActions.test(word.value) || /^(-[xX]|--exec)/.test(word.value))
  )
}

/** A rule about commands cannot tell what this one runs: the name is unknown, or the text is elsewhere. */
export function hidesCommands(command: BashCommand): boolean {
  if (runsUnseen(command) || evaluatesSubscripts(command)) return true
  const inner = unwrapped(command.words)
  const name = commandName(inner)
  if (!shells.has(name)) return hiders.has(name)
  return !inner.some((word, i) => i > 0 && word.value !== null && /^-[a-z]*c[a-z]*$/.test(word.value))
}

function runsUnseen(command: BashCommand): boolean {
  const [name] = command.words
  return name !== undefined && (name.value === null || name.glob)
}

function evaluatesSubscripts(command: BashCommand): boolean {
  if (!subscripted.has(commandName(command.words))) return false
  return command.words.some((word) => word.text.includes('[') && /\$\(|`/.test(word.text))
}
