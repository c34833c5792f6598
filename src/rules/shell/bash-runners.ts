import type { BashCommand } from './bash-command.ts'
import { carriedPieces, codePieces } from './bash-code.ts'
import { evaluates, loadsLines, runsUnseen, setsSteering } from './bash-unseen.ts'
import { foundRuns } from './found-runs.ts'
import { isHarmlessAssignment, steers, type BashWord } from './bash-word.ts'
import { commandName, fromXargs, starts, unwrapped, wrapsOthers } from './bash-wrappers.ts'
import { givenOption, gives, type Option } from './options/given-option.ts'
import { mayWriteByOption } from './unknown-options.ts'
import { runsByOption } from './running-options.ts'
import { runsCommands, worksOutProgram } from './worked-out-programs.ts'

/** Wrappers that an allow rule for the inner command does not reach and whose own prefix rule would open everything. */
const needExactRule = new Set(
  `env watch ionice setsid flock unshare nsenter strace ltrace taskset chrt script parallel xargs trap alias hash enable bind
  fc complete compgen coproc entr`.split(/\s+/),
)

/** Options with which a program runs another one than its rule speaks of. */
const choosing =
  /^(--(script-shell|node-options)(=|$)|(--config=)?(build|target|host)\..*(wrapper|linker|runner|rustc|rustdoc)["']?\s*=|-(toolexec|vettool)(=|$))/
/** The same for npm, which takes names cut short, behind any number of dashes. */
const shellOfScripts: Option = { names: ['script-shell', 'node-options'], oneDash: true }

/** Programs that take options everywhere among their words, and run something else with some of these. */
const optioned = new Set('npm pnpm yarn cargo make gmake go'.split(' '))

/** Programs that take commands, programs of their own, or options that write, from words that a line feeds to xargs. */
const fedAnything = new Set('find sed awk gawk mawk perl tar git sort env'.split(' '))

/** `timeout --k=1 5 x`, `xargs timeout`: the command behind a wrapper is not found, so the rule for the wrapper is one for any. */
function misses(words: readonly BashWord[]): boolean {
  return wrapsOthers(commandName(words)) && words.length > 1
}

/** `xargs npm test`: the words that come in may be options. */
function feedsOptions(command: BashCommand): boolean {
  const words = fromXargs(command.words)
  if (commandName(words) !== 'xargs') return false
  return [words, ...foundRuns(command).map((run) => run.words)].some((run) => {
    const inner = unwrapped(run)
    const name = commandName(inner)
    if (command.fed !== undefined && (fedAnything.has(name) || wrapsOthers(name))) return true
    return optioned.has(name) && !inner.some(({ value }) => value === '--')
  })
}

const findActions = /^-(ok|okdir|fprint|fls|files0-from)/

/** `IFS=,`: the signs between the words of a line, which end with the `read` behind it. */
const apart = /^IFS=(?:\\[nt]|[^$`\w=[])*$/

/** Builtins that take texts among their words for numbers, or for names with a number in brackets. */
const reckoning =
  /^(let|\(\(|test|\[|\[\[|read|unset|wait|shift|exit|return|break|continue|getopts|mapfile|readarray|declare|typeset|local|export|readonly|printf|command|builtin)$/

/** Every assignment before the command sets a variable that cannot change what runs. */
export function hasHarmlessEnvironment({ assignments, words }: BashCommand): boolean {
  if (assignments.length === 0) return true
  const leaves = (text: string): boolean => !steers(/^\w*/.exec(text)?.[0] ?? '')
  // Without a command a variable of the shell is set, which programs only see where it was exported before.
  if (words.length === 0) return assignments.every((text) => isHarmlessAssignment(text) || leaves(text))
  // These work out numbers, with the variables in front of them.
  if (reckoning.test(commandName(unwrapped(words))) || reckoning.test(words[0]?.value ?? ''))
    return assignments.every(
      (text) => (/^\w+=\d*$/.test(text) && leaves(text)) || (words[0]?.value === 'read' && apart.test(text)),
    )
  return assignments.every(isHarmlessAssignment)
}

/**
 * All spellings under which a deny or ask rule may know a command: written, unquoted, behind every wrapper, without
 * the options before a subcommand, and inside the program texts that it is given.
 */
export function spellings(command: BashCommand): readonly string[] {
  const { words, assignments } = command
  const found = new Set([command.text])
  addWordings(words, found)
  for (const at of starts(words))
    for (const piece of codePieces(words.slice(at)))
      for (const text of [piece, ...behindWrappers(piece)]) found.add(text)
  for (const piece of carriedPieces(assignments)) found.add(piece)
  return [...found]
}

/** `nice rm x` in a program text: the command behind the wrapper. */
function behindWrappers(piece: string): readonly string[] {
  const words = piece.split(/\s+/).map((text): BashWord => ({ text, value: text, glob: false }))
  return starts(words).length > 1 ? wordings(words) : []
}

/** The spellings of the words themselves. */
export function wordings(words: readonly BashWord[]): readonly string[] {
  const found = new Set<string>()
  addWordings(words, found)
  return [...found]
}

function addWordings(words: readonly BashWord[], found: Set<string>): void {
  for (const at of starts(words)) {
    const rest = at === 0 ? words : words.slice(at)
    found.add(rest.map((word) => word.text).join(' '))
    addSpellings(rest, found)
  }
}

/** `firstWord('git push')`: `git`. */
export function firstWord(text: string): string {
  const end = text.search(/\s/)
  return end === -1 ? text : text.slice(0, end)
}

function addSpellings(words: readonly BashWord[], found: Set<string>): void {
  const values = words.map((word) => word.value ?? word.text)
  const name = commandName(words)
  if (words.some(({ text }, at) => text !== values[at])) found.add(values.join(' '))
  if (values[0] !== name) found.add([name, ...values.slice(1)].join(' '))
  if (name.startsWith('git')) addForGit(name, values, found)
  // `git -C x push`, `npm --prefix x publish`: options, with a value or without, before the subcommand.
  for (let at = 1; at < Math.min(words.length, 8); at += 1) {
    if (!(values[at]?.startsWith('-') === true || values[at - 1]?.startsWith('-') === true)) break
    found.add([name, ...values.slice(at + 1)].join(' '))
  }
}

/** Other names of `git push`, and the command that `for-each-repo` runs. */
function addForGit(name: string, values: readonly string[], found: Set<string>): void {
  if (name === 'git-send-pack' || name === 'git-push') found.add(['git push', ...values.slice(1)].join(' '))
  if (name !== 'git') return
  const each = values.indexOf('for-each-repo')
  if (each !== -1) {
    // The command begins behind the options.
    const run = values.findIndex((value, at) => at > each && /^[a-z]/.test(value) && values[at - 1] !== '--config')
    found.add(['git', ...values.slice(run)].join(' '))
  }
  const pushed = values.findIndex(
    (value, at) => value === 'send-pack' || (value === 'push' && values[at - 1] === 'subtree'),
  )
  if (pushed > 0) found.add(['git push', ...values.slice(pushed + 1)].join(' '))
}

/** The spellings to which an allow rule applies; empty when only a rule for the whole tool may allow the command. */
export function allowableSpellings(command: BashCommand): readonly string[] {
  if (runsUnseen(command) || evaluates(command)) return []
  if (!hasHarmlessEnvironment(command)) return [command.text]
  const inner = unwrapped(command.words)
  const bare = inner === command.words && command.assignments.length === 0
  const written = bare ? command.text : inner.map((word) => word.text).join(' ')
  const plain = inner.some((word) => plainly(word) !== word.text) ? [inner.map(plainly).join(' ')] : []
  // A rule for everything behind a wrapper would be one for everything, but where that needs permission by itself.
  const wrapped = inner !== command.words && foundRuns(command).length === 0
  const whole = written === command.text || wrapped ? [] : [command.text]
  return [...whole, written, ...plain]
}

/** Without quotes where they change nothing: `"npm" te\st` is `npm test`. */
function plainly({ text, value, glob }: BashWord): string {
  return value !== null && !glob && /^[\w@%+=:,./^-]+$/.test(value) ? value : text
}

/** `cargo --config x.toml`: a file of settings may name programs; `net.offline=true` stands on the line. */
function readsSettings(words: readonly BashWord[]): boolean {
  return words.some((_word, at) => {
    const given = givenOption(words, at, { names: ['config'] })
    return given !== undefined && !/^[^=/]*=/.test(given.text)
  })
}

/** A prefix rule cannot approve it: what it runs is anything at all. */
export function needsExactRule(command: BashCommand): boolean {
  const inner = unwrapped(command.words)
  const name = commandName(inner)
  if (
    (needExactRule.has(name) && !(name === 'env' && inner.length === 1) && foundRuns(command).length === 0) ||
    loadsLines(inner) ||
    runsCommands(inner) ||
    worksOutProgram(inner) ||
    runsByOption(inner, command.fed) ||
    (name === 'cargo' && readsSettings(inner)) ||
    (/^p?npm$/.test(name) && gives(inner, shellOfScripts)) ||
    feedsOptions(command) ||
    (name === 'git' && mayWriteByOption(inner)) ||
    misses(inner) ||
    setsSteering(inner)
  )
    return true
  if (inner.some(({ value }) => choosing.test(value ?? '') || (name === 'git' && value?.startsWith('--outp') === true)))
    return true
  const finds = /^(find|fd|fdfind)$/.test(name)
  return (
    finds &&
    inner.some((word) => word.value === null || findActions.test(word.value) || /^(-[xX]|--exec)/.test(word.value))
  )
}
