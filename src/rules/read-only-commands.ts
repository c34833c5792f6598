import { hasHarmlessEnvironment, hidesCommands } from './bash-runners.ts'
import type { BashCommand } from './bash-commands.ts'
import type { BashWord } from './bash-word.ts'

/**
 * The documented set of commands that only read and therefore run without a question inside the working
 * directories. A command is in it with all its flags, or with those that pass its own test; whatever
 * writes, runs something or looks elsewhere is not.
 */

/** Their arguments may be anything: they print or compare them. */
const indifferent = new Set([
  'echo',
  'true',
  'false',
  ':',
  'pwd',
  'which',
  'type',
  'whoami',
  'uname',
  'basename',
  'dirname',
])
const readers = new Set(
  'ls cat head tail wc cut tr test [ nl comm paste tac rev fold stat du diff cmp cd md5sum sha1sum sha256sum readlink realpath'.split(
    ' ',
  ),
)
/** A glob shows names at most; in the others it might reach through a symlink. */
const globbers = new Set(['echo', 'ls', 'test', '[', 'du', 'wc', 'stat'])

const flagTests: Readonly<Record<string, (flags: readonly string[], operands: readonly string[]) => boolean>> = {
  grep: (flags) => !flags.some((flag) => /^(-[a-zA-Z]*R|--deref)/.test(flag)),
  egrep: (flags) => !flags.some((flag) => /^(-[a-zA-Z]*R|--deref)/.test(flag)),
  fgrep: (flags) => !flags.some((flag) => /^(-[a-zA-Z]*R|--deref)/.test(flag)),
  sort: (flags) =>
    flags.every((flag) => /^-[bdfghiMnrRsuVz]+$|^-[kt].*$|^--(reverse|unique|numeric-sort|version-sort)$/.test(flag)),
  uniq: (flags, operands) =>
    operands.length <= 1 && flags.every((flag) => /^-[cdDiuz]+$|^--(count|repeated|unique)$/.test(flag)),
  find: (flags) => flags.every((flag) => !/^-(exec|ok|delete|fprint|fls|files0-from|follow|L$)/.test(flag)),
  date: (flags, operands) =>
    flags.every((flag) => /^-(u|I\w*|R)$/.test(flag)) && operands.every((word) => word.startsWith('+')),
  printf: (flags) => flags.length === 0,
}

const gitReaders = new Set(
  'status log diff show ls-files ls-tree rev-list rev-parse blame describe shortlog branch'.split(' '),
)
/** Long options may be shortened, so every beginning of one of these counts. */
const gitDangers = [
  '--output',
  '--ext-diff',
  '--textconv',
  '--exec',
  '--upload-pack',
  '--open-files-in-pager',
  '--no-index',
]
const branchQuestions =
  /^(--list|--show-current|--all|--remotes|--verbose|--merged|--no-merged|--contains|--sort=.*|--format=.*|-[arv]+)$/

/**
 * Whole lines that count: whatever they read goes into `wc`, so that nothing but a number is shown. They are
 * compared to the letter, because no part of them would be granted by itself.
 */
const countingLines = new Set(['git ls-files -z | xargs -0 cat 2>/dev/null | wc -l'])

/** `isCountingLine('git ls-files -z | xargs -0 cat 2>/dev/null | wc -l')`: the lines of all tracked files. */
export function isCountingLine(line: unknown): boolean {
  return typeof line === 'string' && countingLines.has(line)
}

/** Says whether a command belongs to the read-only set; where its paths lie is judged by the caller. */
export function isReadOnlyCommand(command: BashCommand): boolean {
  if (!hasHarmlessEnvironment(command) || hidesCommands(command)) return false
  const { words } = command
  if (words.length === 0) return true
  const [name = '', ...rest] = words.map((word) => word.value ?? '')
  if (name === 'git') return words.every(isCertain) && readsGit(rest)
  if (indifferent.has(name)) return true
  if (!words.every((word) => isCertain(word) || (word.glob && globbers.has(name)))) return false
  return readers.has(name) || passes(name, rest)
}

function passes(name: string, rest: readonly string[]): boolean {
  const flags = rest.filter((word) => word.startsWith('-') && word !== '-')
  const operands = rest.filter((word) => !flags.includes(word))
  return Object.hasOwn(flagTests, name) && flagTests[name]?.(flags, operands) === true
}

function isCertain(word: BashWord): boolean {
  return word.value !== null && !word.glob
}

function readsGit(args: readonly string[]): boolean {
  const start = args.findIndex((arg) => arg !== '--no-pager' && arg !== '-P')
  const [subcommand = '', ...rest] = args.slice(Math.max(0, start))
  if (!gitReaders.has(subcommand) || rest.some(isGitDanger)) return false
  if (subcommand !== 'branch') return true
  const listing = rest.includes('--list') || rest.includes('-l')
  return rest.every((arg) => branchQuestions.test(arg) || arg === '-l' || (listing && !arg.startsWith('-')))
}

function isGitDanger(arg: string): boolean {
  const option = arg.split('=', 1)[0] ?? ''
  return option.length > 3 && gitDangers.some((danger) => danger.startsWith(option))
}

/** `sed` that only prints or substitutes: no program file, no `e` or `w` in its script. */
export function isPlainSed(words: readonly BashWord[]): boolean {
  const [script, ...rest] = words
    .slice(1)
    .filter((word) => !/^(-[nErsz]+|-i|--in-place|--quiet|--silent)$/.test(word.value ?? ''))
  if (words[0]?.value !== 'sed' || rest.some((word) => word.value?.startsWith('-') !== false)) return false
  return /^(s([/|#,])(?:(?!\2)[^\\\n])*\2(?:(?!\2)[^\\\n])*\2[gIp0-9]*|[\d,$]*[pd])$/.test(script?.value ?? '')
}
