import type { BashCommand } from './bash-command.ts'
import { setsVariables, type BashWord } from './bash-word.ts'
import { byProgram, commandName, unwrapped, spelledOut } from './bash-wrappers.ts'
import { readings } from './code/code-words.ts'
import { hasVerbs, runnableWords } from './data-verbs.ts'
import { runningOptions, setsUnknown } from './running-options.ts'
import { carries } from './fed-paths.ts'
import { runsCommands } from './worked-out-programs.ts'

/** Programs whose arguments are data: names, patterns, messages. */
const talkers = new Set(
  `echo printf : true false test [ [[ (( let read export unset set shopt local declare readonly grep egrep fgrep rg ag ack cat
  tac head tail less more ls tree stat file wc sort uniq cut tr column diff cmp comm paste nl rev fold od xxd hexdump base64
  md5sum sha1sum sha256sum which whereis type hash man info apropos whatis help tldr cd pushd popd pwd mkdir rmdir touch cp mv
  ln rm chmod chown chgrp unlink realpath readlink basename dirname du df date seq sleep kill pkill pgrep killall ps id
  whoami uname hostname apt apt-get apt-cache aptitude dnf yum apk pacman jq yq sed tar
  zip unzip gzip gunzip curl wget ping dig host nslookup systemctl service journalctl break continue exit return wait make
  gmake ninja tsc eslint prettier pytest vitest jest mocha black ruff mypy shellcheck install open xdg-open`.split(
    /\s+/,
  ),
)
const interpreters =
  /^(python|pypy|perl|ruby|node|nodejs|deno|bun|php|lua|luajit|R|Rscript|julia|tclsh|osascript|pwsh|psql|sqlite3|mysql|mongosh|gs|elixir|erl|vim?|nvim|ex|ed|emacs|gdb|lldb|expect|[gmn]?awk)[\d.]*$/
/** Options of otherwise harmless programs that name a program; many programs take them shortened. */
const runningOption =
  /^(--(compress-p|rsh|to-c|use-[ac]|unzip-c|info-s|new-v|checkpoint-a|pre\b|pager|html|exec|script-s|call\b|eval\b|shell-m|python-exec)|-oProxyCommand|-(tool)?exec\b|-vettool\b|-[a-zA-Z]*TT|\+!)/
/** The same of programs with short ones, or with variables in their place. */
const ownOptions = byProgram<RegExp>({
  make: /^(--eval|-E|[\w.%+-][\w.%+:?!-]*=)/,
  gmake: /^(--eval|-E|[\w.%+-][\w.%+:?!-]*=)/,
  man: /^-[PH]/,
  wget: /^-e/,
  less: /^\+/,
  go: /^(--?(ld|gc|asm)flags|\w+=)/,
  apt: /^(-o|--option)/,
  'apt-get': /^(-o|--option)/,
  tar: /^-[a-zA-Z]*[IF]/,
  cargo: /^--config/,
  npm: /^(-c|--call)/,
  npx: /^(-c|--call)/,
  split: /^--filter/,
  pnpm: /^-c/,
  pnpx: /^-c/,
  entr: /^-[a-z]*s$/,
})

/** More words than this are not looked at. */
const mostTokens = 400
/** More words than this of a program's text are not looked at: no more than a text of 64 KiB has. */
const mostOfCode = 32_768

/**
 * The texts in a command that the program may run, as lists of words: its arguments, where the program is not known to take
 * them as data, and texts of programs among them. For rules that forbid only.
 *
 * @example runnableTexts(`uv run rm x`) // [['uv', 'run', 'rm', 'x']]
 */
export function runnableTexts(command: BashCommand): readonly (readonly string[])[] {
  const words = spelledOut(unwrapped(command.words))
  const name = commandName(words)
  const { lists, texts: own } = ownTexts(name, words)
  const texts = [...assignedTexts(command, words), ...fedTo(command, name), ...(command.written ?? nothing), ...own]
  const all = texts.length === 0 ? lists : [...lists, ...texts.flatMap(readings).map(wordsOfCode)]
  return all.filter((list) => list.length > 0)
}

const nothing: readonly string[] = []

/** The values of variables that the command sets, and the options in them. */
function assignedTexts({ assignments }: BashCommand, words: readonly BashWord[]): readonly string[] {
  const set = setsVariables(commandName(words)) ? words.slice(1).map(({ value }) => value ?? '') : nothing
  if (set.length === 0 && assignments.length === 0) return nothing
  const assigned = [...assignments, ...set].map((text) => text.slice(text.indexOf('=') + 1))
  const options = assigned.flatMap((text) =>
    text.includes('-') ? text.split(/[\s|]+/).flatMap((each) => [stripped(each), each.replace(/^-+/, '')]) : [],
  )
  return [...assigned, ...options]
}

/** `takesData('git commit')`: the program is known to take its arguments as names, patterns or messages, and to run none of them. */
export function takesData(words: readonly BashWord[]): boolean {
  const name = commandName(words)
  if (talkers.has(name)) return true
  if (!hasVerbs(name)) return false
  const values = words.slice(0, mostTokens).map(({ value, text }) => value ?? text)
  return runnableWords(name, values).length < values.length
}

/**
 * The texts of a command that its program may run, undivided: its own, those in variables that are set for it, and those that
 * it gets to read; and apart from these the values of options that name a program.
 *
 * @param values The texts of the words.
 */
export function textsToRun(
  command: BashCommand,
  values: readonly string[],
): { readonly texts: readonly string[]; readonly options: readonly string[] } {
  const words = spelledOut(unwrapped(command.words))
  const name = commandName(words)
  const options = optionTexts(name, words, values)
  const texts = [...assignedTexts(command, words), ...fedTo(command, name)]
  if (talkers.has(name)) return { texts, options }
  const own = interpreters.test(name) ? values.slice(1) : runnableWords(name, values)
  return { texts: [...texts, ...own, ...toldGit(name, values)], options }
}

interface Texts {
  readonly lists: readonly (readonly string[])[]
  readonly texts: readonly string[]
}

function ownTexts(name: string, words: readonly BashWord[]): Texts {
  const values = words.slice(0, mostTokens).map(({ value, text }) => value ?? text)
  const options = optionTexts(name, words, values)
  if (talkers.has(name)) return { lists: [], texts: options }
  if (name.endsWith('awk') && !values.some((value) => /system|\||getline/.test(value))) return { lists: [], texts: [] }
  if (interpreters.test(name)) return { lists: [values], texts: values.slice(1) }
  const list = runnableWords(name, values)
  const told = toldGit(name, values)
  const texts = [...list.filter((value) => notPlain.test(value)), ...told]
  if (texts.length === 0 && options.length === 0) return { lists: [list], texts }
  const pieces = texts.flatMap(readings).flatMap((text) => text.split(signs))
  return { lists: [list], texts: [...options, ...told, ...pieces].map(stripped) }
}

/** Options that name a program, and the words behind them. */
function optionTexts(name: string, words: readonly BashWord[], values: readonly string[]): readonly string[] {
  const own = ownOptions.get(name)
  const known = runningOptions(words)
  const runs = (value: string, at: number): boolean =>
    ((value.startsWith('-') || value.startsWith('+')) && runningOption.test(value)) ||
    own?.test(value) === true ||
    known.has(at)
  if (!values.some(runs)) return nothing
  return values.flatMap((value, at) =>
    at > 0 && (runs(value, at) || runs(values[at - 1] ?? '', at - 1)) ? [value, stripped(value)] : [],
  )
}

/** Options of git whose value runs, and subcommands that keep or take such. */
const gitRuns = /^(-c|-O|-u|-x|--exec|--open|--upload|--receive|--ext|--config|--sendmail-cmd|--access-hook)/
const gitTakes =
  /^(config|ls-remote|clone|fetch|pull|push|remote|submodule|bisect|rebase|filter-branch|difftool|mergetool|for-each-repo|archive|send-email|daemon|credential)$/

/** The words of git that the program may run, or keep to run: a pager, an alias, the other end of a connection. */
export function textsForGit(values: readonly string[]): readonly string[] {
  const verb = values.find((value, at) => at > 0 && /^[a-z]/.test(value) && !gitRuns.test(values[at - 1] ?? '')) ?? ''
  return (
    values
      .slice(1)
      .filter((value, i) => gitTakes.test(verb) || gitRuns.test(value) || gitRuns.test(values[i] ?? ''))
      .map((value) => value.replace(/^-[Oux]/, ''))
      // `url.ext::rm x.insteadOf`: a command may stand in the key of a setting.
      .flatMap((value) => [value, ...(/^\w+\.(.+)\.\w+(?==|$)/s.exec(value)?.slice(1) ?? [])])
  )
}

/** `gh repo clone a/b -- -u x`: the words behind the dashes are those of `git clone`. */
function toldGit(name: string, values: readonly string[]): readonly string[] {
  if (name === 'git') return textsForGit(values)
  const end = forges.test(name) ? values.indexOf('--') : -1
  return end === -1 ? nothing : textsForGit(['git', 'clone', ...values.slice(end + 1)])
}

const forges = /^(gh|glab)$/

/**
 * A text that only a running shell knows is the value of an option that runs it. Variables of make are not looked at.
 *
 * @example runsUnknownText(`npm exec -c "$(cat x)"`) // true
 */
export function runsUnknownText(words: readonly BashWord[]): boolean {
  if (words.every(({ value }) => value !== null)) return false
  const name = commandName(words)
  if (name === 'git') return setsUnknown(words)
  const own = inVariables.test(name) ? undefined : ownOptions.get(name)
  const runs = (text: string): boolean => runningOption.test(text) || own?.test(text) === true
  return words.some(
    ({ value, from, text }, at) =>
      at > 0 &&
      value === null &&
      from !== 'number' &&
      (runs(text.replace(/^["']+/, '')) || runs(words[at - 1]?.value ?? '')),
  )
}

/** Of these most of the options in their table are variables. */
const inVariables = /^(g?make|go)$/

/** Where one word of a program text ends and another begins. */
const signs = /[;&|:\n`"'(){}=,%[\]]+/
/** A text of several words, or of a program. */
const notPlain = /[\s;&|:`"'(){}=,%[\]!]|^-\w\w|^\+/

/** `-c'rm x'`, `!rm x`: the command begins behind the signs. */
function stripped(text: string): string {
  return text.trim().replace(/^(-[a-zA-Z]*TT|-[\w-]*=|\w+[:+?]?=|-\w|[!+\\:\s]+)+/, '')
}

function fedTo({ fed = [], words }: BashCommand, name: string): readonly string[] {
  if (fed.length === 0 || name === '' || name === 'git') return []
  return carries(name) && !runsCommands(unwrapped(words)) ? [] : fed
}

/** The words of a text that may be names of commands, and what follows them. */
export function wordsOfCode(text: string): readonly string[] {
  return (text.match(/(?<![\w./@+-])[\w./@+-]*[\w@+-]/g) ?? []).slice(0, mostOfCode)
}
