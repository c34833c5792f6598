import type { BashCommand } from './bash-command.ts'
import { holdsSettings, steers, type BashWord } from './bash-word.ts'
import { isShell, writtenScripts } from './bash-scripts.ts'
import { commandName, fromXargs, starts, unwrapped, wraps, wrapsUnknown } from './bash-wrappers.ts'
import { toolOf } from './changed-trees.ts'
import { isAlias } from './data-verbs.ts'
import { namesGiven } from './options/builtin-options.ts'
import { runsUnknownText } from './runnable-texts.ts'
import { mayRunByOption } from './unknown-options.ts'
import { isDisguised, worksOutProgram } from './worked-out-programs.ts'

/** Commands that run text which is not on the line: a script, an input, a trap. */
const hiders = new Set(
  'source . parallel watch trap enable hash alias ssh su newgrp at batch bind fc complete compgen run-parts'.split(' '),
)

/** Builtins that set the variables they are given. */
const setters = new Set('read wait declare typeset local export readonly printf mapfile readarray getopts'.split(' '))

/** Variables whose text bash itself expands or runs, and those that bring it scripts, functions, or another way to read. */
const live = /^(PS[0124]|PROMPT_COMMAND|BASH_(ENV|CMDS|ALIASES)|ENV|SHELLOPTS|BASHOPTS)(?=[=[+]|$)|^BASH_FUNC_/

/** `env BASH_ENV=x bash -c y`: what is started takes code from its environment. */
function handsOnCode(words: readonly BashWord[]): boolean {
  return words.some(({ value }, at) => value?.includes('=') === true && live.test(value) && (at === 0 || wraps(words)))
}

/** `declare -a 'x=($(date))'`: the text is read once more as a list. */
const listed = /^\w+\+?=\(.*[$`]/s

/** Variables whose text a program runs as a command. */
const commanding =
  /^(GIT_(EDITOR|PAGER|SEQUENCE_EDITOR|SSH|SSH_COMMAND|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND|CONFIG_\w+)|\w*(EDITOR|PAGER|ASKPASS|WRAPPER)|VISUAL|BROWSER|LESSOPEN|LESSCLOSE)=(?<said>.*)$/s

/** Variables with options of interpreters, among which a program may stand. */
const optionsOfInterpreters =
  /^(?<name>NODE_OPTIONS|PERL5OPT|PERL5DB|RUBYOPT|_?JAVA(_TOOL)?_OPTIONS|JDK_JAVA_OPTIONS)=(?<said>.*)$/s
/** A word among options in which no program stands: a name, a number or a place. */
const plainOption = /^(-[\w./:=@%+-]*|[\w./@-]*)$/
/** A module that stands in its own address. */
const addressedProgram = /\bdata:(text|application)\//i

function holdsCommand(text: string): boolean {
  const { name = '', said } = optionsOfInterpreters.exec(text)?.groups ?? {}
  // The text that the variable held before stays in it.
  const options = said?.replace(/^"(.*)"$/s, '$1').replaceAll(new RegExp(`\\$(${name}\\b|\\{${name}\\})`, 'g'), '')
  if (options !== undefined && !isPlain(options)) return true
  return isDisguised(commandSaid(text))
}

/** `--max-old-space-size=4096 -r ./setup`: options and their values, none of which is a program. */
function isPlain(options: string): boolean {
  if (/^[^\s-]/.test(options) || addressedProgram.test(options)) return false
  return options.split(/\s+/).every((each) => plainOption.test(each))
}

/** `node --import data:…`: the program is in the address, in letters that no rule reads. */
function runsAddress(words: readonly BashWord[]): boolean {
  return words.some(({ value }, at) => at > 0 && addressedProgram.test(value ?? ''))
}

/** `commandSaid('GIT_EDITOR=tee x')`: the command that a program finds in the variable; empty for other texts. */
export function commandSaid(text: string): string {
  return text.includes('=') ? (commanding.exec(text)?.groups?.['said'] ?? '') : ''
}

/** The command sets a variable that steers later commands. */
export function setsSteering(words: readonly BashWord[]): boolean {
  if (!setters.has(commandName(words))) return false
  return namesSet(words).some((text) => steers(/^\w*/.exec(text)?.[0] ?? ''))
}

/** The words of a builtin in which the names of variables stand: behind `-v` and `-a` as well. */
function namesSet(words: readonly BashWord[]): readonly string[] {
  const name = commandName(words)
  const given = name === 'read' || name === 'wait' ? namesGiven(name, words.slice(1)) : words.slice(1)
  return given.map(({ value, text }) => (value ?? text).replace(/^-v/, ''))
}

const inputSetters = new Set(['read', 'wait', 'mapfile', 'readarray', 'printf', 'getopts'])

/** `read GIT_PAGER < x`: what the variable makes of later commands is not on the line. */
function setsFromInput(words: readonly BashWord[]): boolean {
  const name = commandName(words)
  if (!inputSetters.has(name)) return false
  const isNamed = (at: number): boolean =>
    name !== 'printf' || words[at]?.value === '-v' || words[at + 1]?.value?.startsWith('-v') === true
  return namesSet(words).some((variable, at) => isNamed(at) && /^\w+$/.test(variable) && steers(variable))
}

/** Interpreters that run their input when no program is named. */
const readers =
  /^(python|pypy|perl|ruby|node|nodejs|deno|bun|php|lua|luajit|R|Rscript|julia|tclsh|osascript|pwsh)[\d.]*$/
const programFlags =
  /^(-f|--file|--makefile|--script|-x|--command)(=?(-|\/dev\/stdin|\/dev\/fd\/\d+|\/proc\/self\/fd\/\d+))?$/
const input = /^(-|\/dev\/stdin|\/dev\/fd\/\d+|\/proc\/self\/fd\/\d+)$/

/** A rule about commands cannot tell what this one runs: the name is unknown, or the text is elsewhere. */
export function hidesCommands(command: BashCommand): boolean {
  return hides(command, false)
}

/**
 * A rule about files cannot tell what this one opens, because it runs text that is not on the line. A script that lies
 * in a file is not meant: it is like any other program.
 *
 * @example hidesFiles(echo 'cat .env' | sh) // for the `sh`: true
 */
export function hidesFiles(command: BashCommand): boolean {
  return hides(command, true)
}

function hides(command: BashCommand, exceptFiles: boolean): boolean {
  const { words, assignments } = command
  if (command.perhaps === true) return words[0]?.value === null || writtenScripts(words).unseen
  if (runsUnseen(command) || wrapsUnknown(words) || evaluates(command)) return true
  if (assignments.some((text) => live.test(text) || holdsCommand(text))) return true
  if (holdsSettings(words) && (handsOnCode(words) || words.some(({ value }) => holdsCommand(value ?? '')))) return true
  if (writtenScripts(words).unseen || putsInput(words)) return true
  const inner = unwrapped(words)
  if (worksOutProgram(inner) || setsFromInput(inner) || mayRunByOption(inner) || runsUnknownText(inner)) return true
  const tool = toolOf(inner)
  if (tool !== inner && hides({ ...command, words: tool }, exceptFiles)) return true
  if (containers.test(commandName(inner)) && inner.some((_, at) => writtenScripts(inner.slice(at)).unseen)) return true
  return starts(inner).some((at) => {
    const rest = at === 0 ? inner : inner.slice(at)
    const name = commandName(rest)
    if (name === 'git') return isAlias(rest) && inner.slice(1, at).every(isSetting)
    const runsInput = readers.test(name)
    if (runsInput && runsAddress(rest)) return true
    if (runsFile(rest, exceptFiles)) return false
    if (isShell(rest)) return writtenScripts(rest).texts.length === 0 && !asksVersion(rest)
    // Further behind it would mostly be a name: `sudo apt install python3`.
    if (at <= 1 && (runsInput ? readsInput(rest) : readsProgram(rest))) return !(runsInput && standsThere(command))
    return (at === 0 || rest[0]?.value !== '.') && (hiders.has(name) || loadsLines(rest))
  })
}

/** Programs that run a command in a container, behind a name and options of their own. */
const containers = /^(docker|docker-compose|podman|nerdctl|kubectl|oc)$/

/** `env A=1 git l`: a word in front of the command that a wrapper takes for itself. */
function isSetting({ value }: BashWord): boolean {
  return /^-|^\w+=/.test(value ?? '')
}

/** `sh build.sh`, `source env.sh`: the operand itself is a file that path rules see. */
function runsFile(words: readonly BashWord[], exceptFiles: boolean): boolean {
  const name = commandName(words)
  if (name === 'hash' || name === 'ssh') return exceptFiles
  if (!isShell(words) && name !== 'source' && name !== '.') return false
  const operand = words.slice(1).find(({ value }) => value === null || !value.startsWith('-'))
  const options = words.slice(1).filter(({ value }) => value?.startsWith('-') === true)
  if (options.some(({ value }) => value === '-s' || value === '-c')) return false
  return operand !== undefined && operand.value !== null && !operand.glob && !input.test(operand.value)
}

/** The program that comes in is known to the letter: a here-document. */
function standsThere({ fed = [] }: BashCommand): boolean {
  return fed.length > 0 && fed.every((text) => text !== '' && !/[$`]/.test(text))
}

function asksVersion(words: readonly BashWord[]): boolean {
  return words.length === 2 && /^--(version|help)$/.test(words[1]?.value ?? '')
}

/** `python3 - <<EOF`, `echo … | node`: the program is what comes in. */
function readsInput(words: readonly BashWord[]): boolean {
  const values = words.slice(1).map(({ value }) => value)
  if (values.every((value) => value !== null && /^-[uBEIsSqiwn]*$/.test(value))) return true
  const first = values.find((value) => value === null || !/^-./.test(value))
  return typeof first === 'string' && input.test(first) && !values.some((value) => /^-[a-z]*[cemp]$/.test(value ?? ''))
}

/** Programs that take another program from the file that an option names. */
const programTakers = new Set('make gmake awk gawk mawk nawk sed ed ex gdb lldb expect at batch'.split(' '))

/** `make -f -`: the program is what comes in. */
function readsProgram(words: readonly BashWord[]): boolean {
  if (!programTakers.has(commandName(words))) return false
  const values = words.slice(1).map(({ value }) => value)
  return values.some((value, i) => {
    if (value === null || !programFlags.test(value)) return false
    return /[-\d]$|stdin$/.test(value.replace(/^(-f|-x|--[a-z]+)/, '')) || input.test(values[i + 1] ?? '')
  })
}

const inputTakers = new Set(['sudo', 'find', 'fd', 'fdfind', 'xargs'])

/** `xargs -I % % x`, `find -exec {} \\;`: what is found is run; `sudo -s` runs what comes in. */
function putsInput(written: readonly BashWord[]): boolean {
  const words = fromXargs(written)
  const name = commandName(words)
  if (!inputTakers.has(name)) return false
  const values = words.map(({ value }) => value ?? '')
  if (name === 'sudo') return values.slice(1).some((value) => /^(-[a-zA-Z]*[si]|--shell|--login)/.test(value))
  if (name !== 'xargs')
    return values.some((value, at) => value.startsWith('{') && /^(-exec|-ok|-[xX]$|--exec)/.test(values[at - 1] ?? ''))
  const flag = values.findIndex((value) => /^(-[0oprtx]*[iI]|--replace)/.test(value))
  if (flag === -1) return false
  const apart = /^-\w*I$/.test(values[flag] ?? '')
  const mark = (apart ? values[flag + 1] : values[flag]?.replace(/^(-[0oprtx]*[iI]|--replace=?)/, '')) || '{}'
  const run = values.slice(flag + (apart ? 2 : 1)).find((value) => !value.startsWith('-'))
  return run?.includes(mark) === true
}

/** `mapfile -C command` runs it for every few lines. */
export function loadsLines(words: readonly BashWord[]): boolean {
  const name = commandName(words)
  if (name !== 'mapfile' && name !== 'readarray') return false
  return words.some(({ value }) => /^-[A-Za-z]*C/.test(value ?? '-C'))
}

/** The name of the command is known only when it runs. */
export function runsUnseen(command: BashCommand): boolean {
  const [name] = command.words
  return name !== undefined && (name.value === null || name.glob)
}

/** The command works out a text that can run commands, or sets a variable that bash runs later. */
export function evaluates(command: BashCommand): boolean {
  if (command.hazard !== undefined) return true
  const words = unwrapped(command.words)
  if (!setters.has(commandName(words))) return false
  return namesSet(words).some((name) => live.test(name)) || words.some(({ value }) => listed.test(value ?? ''))
}
