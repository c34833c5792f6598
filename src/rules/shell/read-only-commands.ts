import { hasHarmlessEnvironment, needsExactRule } from './bash-runners.ts'
import { foundRuns } from './found-runs.ts'
import { hidesCommands } from './bash-unseen.ts'
import type { BashCommand } from './bash-command.ts'
import { isHarmlessAssignment, steers, type BashWord } from './bash-word.ts'
import { byProgram } from './bash-wrappers.ts'
import { secondWriters } from './file-editors.ts'
import { readsGit } from './git/git-reads.ts'
import { isOption, type Option } from './options/given-option.ts'

/**
 * The documented set of commands that only read and therefore run without a question inside the working
 * directories. A command is in it with all its flags, or with those that pass its own test; whatever
 * writes, runs something or looks elsewhere is not.
 */

/** Commands that only print or compare their arguments, whatever these are. */
const indifferent = new Set([
  'seq',
  'nproc',
  'uptime',
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
  'expr',
  'break',
  'continue',
  'wait',
  'sleep',
  'exit',
  'return',
  'shift',
  'unset',
  'let',
  '((',
  'popd',
  // Commands in their numbers and names are looked for elsewhere.
  'test',
  '[',
  '[[',
])
const readers = new Set(
  'cat head tail cut tr nl comm paste tac rev fold fmt join stat cmp readlink realpath od column'.split(' '),
)
type FlagTest = (flags: readonly string[], operands: readonly string[]) => boolean

const none: FlagTest = (flags, operands) => flags.length === 0 && operands.length === 0
const all =
  (allowed: RegExp): FlagTest =>
  (flags) =>
    flags.every((flag) => allowed.test(flag))
const unless =
  (forbidden: RegExp): FlagTest =>
  (flags) =>
    !flags.some((flag) => forbidden.test(flag))
const without =
  (option: Option): FlagTest =>
  (flags) =>
    !flags.some((flag) => isOption(flag, option))

/** Flags with which find asks, writes, or leaves the directories that it is given. */
const strays = /^-(ok|fprint|fls|files0-from|follow|[EHPXdsx]*L|H$)/

const searches = without({ letters: 'R', valued: 'ABCDdefmX', names: ['dereference-recursive'] })

/** Commands that read a list of further files to read when they get `--files0-from`. */
const listed = without({ names: ['files0-from'] })
const sums = without({ letters: 'c', names: ['check'] })

const staysHere = without({ letters: 'R', valued: 'ITw', names: ['recursive'] })
const followsNone = without({ letters: 'L', valued: 'ITw', names: ['dereference'] })

const flagTests = byProgram<FlagTest>({
  wc: listed,
  du: without({ letters: 'DHLX', valued: 'Bdt', names: ['files0-from', 'dereference-args'] }),
  ls: (flags, operands) => staysHere(flags, operands) || followsNone(flags, operands),
  md5sum: sums,
  sha1sum: sums,
  sha256sum: sums,
  shasum: sums,
  cksum: sums,
  free: all(/^-[bhkmgtw]+$/),
  grep: searches,
  egrep: searches,
  fgrep: searches,
  // A recursive diff also shows files that lie behind links.
  diff: without({ letters: 'r', valued: 'CDFILSUWxX', names: ['recursive'] }),
  rg: without({
    letters: 'zLf',
    valued: 'ABCEMTdefgjmrt',
    names: ['pre', 'hostname-bin', 'search-zip', 'follow', 'file', 'ignore-file'],
  }),
  sort: all(/^-[bdfghiMnrRsuVz]+$|^-[kt].*$|^--(reverse|unique|numeric-sort|version-sort)$/),
  uniq: (flags, operands) => operands.length <= 1 && all(/^-[cdDiuz]+$|^--(count|repeated|unique)$/)(flags, operands),
  // The expression may stand behind `--`.
  find: (flags, operands) => ![...flags, ...operands].some((flag) => /^-(exec|delete)/.test(flag) || strays.test(flag)),
  date: (flags, operands) => all(/^-(u|I\w*|R)$/)(flags, operands) && operands.every((word) => word.startsWith('+')),
  printf: (flags) => flags.length === 0,
  // Without a directory, or with `-`, it leads away from here.
  cd: (flags, operands) => flags.length === 0 && new Set(operands).size === 1 && operands[0] !== '-',
  file: all(/^(-b|-i|--brief|--mime|--mime-type|--mime-encoding)$/),
  hexdump: all(/^-[Cbcdovx]+$/),
  xxd: (flags, operands) => operands.length <= 1 && all(/^-[bepuclgso]$/)(flags, operands),
  tree: all(/^-[adfLphsDI]+$/),
  df: all(/^-[hTkiHP]+$/),
  ps: (flags, operands) =>
    all(/^-[AefFjlp]+$/)(flags, operands) && operands.every((word) => /^(aux|ax|\d+)$/.test(word)),
  id: (flags) => all(/^-[ugnGr]+$/)(flags, []),
  // On a Mac it runs what stands behind it.
  arch: none,
  groups: none,
  hostname: none,
  command: (flags) => /^-[vV]$/.test(flags[0] ?? ''),
  pushd: (flags, operands) => flags.length === 0 && operands.length === 1,
  set: (flags, operands) =>
    flags.length > 0 && operands.every((word) => /^(pipefail|errexit|nounset|noglob|xtrace)$/.test(word)),
  shopt: (flags) => flags.length > 0,
  read: unless(/^-[a-z]*[eiN]/),
  export: (flags, operands) => flags.length === 0 && operands.every(isHarmlessAssignment),
  readonly: (flags, operands) => flags.length === 0 && operands.every((word) => !steers(/^\w*/.exec(word)?.[0] ?? '')),
  local: (flags, operands) => flags.length === 0 && operands.every((word) => !steers(/^\w*/.exec(word)?.[0] ?? '')),
})

/**
 * Whole lines that count: whatever they read goes into `wc`, so that nothing but a number is shown, wherever links lead. They
 * are compared to the letter.
 */
const countingLines = new Set(['git ls-files -z | xargs -0 cat 2>/dev/null | wc -l'])

/** `isCountingLine('git ls-files -z | xargs -0 cat 2>/dev/null | wc -l')`: the lines of all tracked files. */
export function isCountingLine(line: unknown): boolean {
  return typeof line === 'string' && countingLines.has(line)
}

/**
 * Says whether a command belongs to the read-only set; where its paths lie is judged by the caller.
 *
 * @param hides What `hidesCommands` says of it, where that is known already.
 */
export function isReadOnlyCommand(command: BashCommand, hides?: boolean): boolean {
  // The second file that these get is written.
  if (command.found === true && secondWriters.has(command.words[0]?.value ?? '')) return false
  return hasHarmlessEnvironment(command) && isReadOnly(command.words) && !(hides ?? hidesCommands(command))
}

/** `xargs -0 wc`: what comes in is taken apart at NUL only. */
export function isSplitAtNul(words: readonly BashWord[]): boolean {
  return words.some(({ value }) => /^(-[rtx]*0|--null)/.test(value ?? ''))
}

/** Commands that show nothing of what the files hold that they are given, whatever their options. */
const lookers = new Set('wc ls stat basename dirname echo md5sum sha1sum sha256sum realpath readlink'.split(' '))

/** `grep -l x`, `grep -c x`: names and numbers. */
function onlyLooks([program, ...rest]: readonly BashWord[]): boolean {
  if (lookers.has(program?.value ?? '')) return true
  return /^[ef]?grep$/.test(program?.value ?? '') && rest.some(({ value }) => /^-[a-zE-H]*[lLcq]$/.test(value ?? ''))
}

/**
 * `find . -exec wc {} +`, `git ls-files | xargs wc`: a command that only runs others, which need permission by themselves, for
 * files of which is known where they lie.
 */
export function isPlainRunner(command: BashCommand): boolean {
  const { words, listed } = command
  const name = words[0]?.value
  if (name !== 'find' && !(name === 'xargs' && listed !== undefined)) return false
  if (words.some(({ value }) => name === 'find' && strays.test(value ?? ''))) return false
  const actions = words.filter(({ value }) => value === '-exec' || value === '-execdir' || value === '-delete')
  if (listed?.paths.some((path) => /[\s"'\\]|^-/.test(path))) return false
  const runs = foundRuns(command)
  if (runs.length < Math.max(1, actions.length)) return false
  if (!runs.every((run) => onlyLooks(run.words))) return false
  return hasHarmlessEnvironment(command) && !needsExactRule(command) && !hidesCommands(command)
}

/** Says whether a command of this name, with some of its options, is in the set. */
export function isReadOnlyName(name: string): boolean {
  return indifferent.has(name) || flagTests.has(name) || readers.has(name) || name === 'git' || name === 'sed'
}

function isReadOnly(words: readonly BashWord[]): boolean {
  if (words.length === 0) return true
  const name = words[0]?.value ?? ''
  if (indifferent.has(name)) return true
  if (!isReadOnlyName(name)) return false
  const test = flagTests.get(name)
  if (words.some(mayGiveOptions)) return false
  const rest = words.slice(1).map((word) => word.value ?? '')
  if (name === 'sed')
    return words.every(isCertain) && isPlainSed(words) && !rest.some((word) => /^(-[nErsz]*i|--in-place)/.test(word))
  if (!words.every((word) => isCertain(word) || word.glob)) return false
  if (name === 'git') return readsGit(rest)
  return test === undefined || passes(test, words.flatMap(perhapsSeveral))
}

/** `-*`: the names that it finds may be any options, unless it says which one they are. */
function mayGiveOptions({ value, glob }: BashWord): boolean {
  return glob && /^-(?!-[\w-]+=|g)/.test(value ?? '')
}

/** A pattern may find two files, or more, and some words come to be several. */
function perhapsSeveral({ value, glob, splits }: BashWord): readonly string[] {
  const text = value ?? ''
  return glob || (value === null && splits === true) ? [text, text] : [text]
}

/** Of searches, options that stand alone. */
const alone = /^-[nilcvwFHoqsx]+$/

/** Two dashes may be the value of an option, and end no options then; printf has none with a value. */
function passes(test: FlagTest, [program, ...rest]: readonly string[]): boolean {
  const dashes = rest.indexOf('--')
  const isEnd = program === 'printf' || (/^([ef]?grep|rg)$/.test(program ?? '') && alone.test(rest[dashes - 1] ?? ''))
  const end = isEnd ? dashes : -1
  const isFlag = (word: string, at: number): boolean =>
    word.startsWith('-') && !/^--?$/.test(word) && (end === -1 || at < end)
  return test(
    rest.filter(isFlag),
    rest.filter((word, at) => word !== '--' && !isFlag(word, at)),
  )
}

function isCertain(word: BashWord): boolean {
  return (word.value !== null && !word.glob) || word.from === 'number' || word.from === 'pipe'
}

/** `sed` that only prints, deletes or substitutes: no program file, no `e` or `w` in its scripts. */
export function isPlainSed(words: readonly BashWord[]): boolean {
  if (words[0]?.value !== 'sed') return false
  const values = words.slice(1).map((word) => word.value ?? '-?')
  const rest = values.filter((value) => !/^(-[nErsz]+|-i|--in-place|--quiet|--silent)$/.test(value))
  const given = rest.flatMap((value, i) => (rest[i - 1] === '-e' ? [value] : []))
  const others = rest.filter((value, i) => value !== '-e' && rest[i - 1] !== '-e')
  const files = given.length > 0 ? others : others.slice(1)
  const scripts = given.length > 0 ? given : others.slice(0, 1)
  return (
    scripts.length > 0 &&
    scripts.every((script) => plainScript.test(script)) &&
    !files.some((file) => file.startsWith('-'))
  )
}

const plainScript = /^(s([/|#,])(?:(?!\2)[^\\\n])*\2(?:(?!\2)[^\\\n])*\2[gIp0-9]*|[\d,$]*[pd])$/
