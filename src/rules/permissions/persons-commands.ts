import { isForPersons } from '../../protocol/permissions/persons-acts.ts'
import { isInside, resolveFrom } from '../paths/path-inside.ts'
import type { BashWord } from '../shell/bash-word.ts'
import { commandName, fromXargs, programOf, starts, unwrapped } from '../shell/bash-wrappers.ts'
import { inputMark, mayBeAny } from '../shell/open-texts.ts'
import { runnableTexts, takesData } from '../shell/runnable-texts.ts'
import {
  isTerminalProgram,
  isTypingWord,
  terminalPatterns,
  typesIntoTerminal,
  typesWith,
  typistNames,
} from '../shell/lines/terminal-typists.ts'
import { worksOutProgram } from '../shell/worked-out-programs.ts'
import type { Action, ActionCommand } from './action.ts'
import { globbed } from '../disk/disk-globs.ts'
import { renamedPrograms, whereItLeads } from './new-links.ts'

/** Groups in which some commands are for persons. */
const groups = new Set(['permissions', 'memory', 'mcp', 'mail', 'runs', 'worktrees'])
/** Options with which a run is given more than its settings give it. */
const widening = /^--(allow|trust|mode|dangerously-skip-permissions|classifier|wait-permissions)(=|$)/
const narrowModes = /^(--mode=)?(plan|dontAsk|default)$/
/** Names by which programs would use the library to the same end. */
const functions = /(^|\.)(answerApproval|keepRules|saveRules|rememberTrust|readRunKey)$/
/** The call of the system that types into a terminal. */
const terminalCalls = /(^|\.)(TIOCSTI|0x5412|21522)$/

/**
 * The command of a line that would act in the place of a person: answer a question, trust a workspace, stop or go on with a
 * run, type into a terminal.
 *
 * @example personsCommand(analyse(`npx troupe permissions answer w1 allow`)) // that command
 */
export function personsCommand(action: Action): ActionCommand | undefined {
  return action.commands.find(
    (command) =>
      (namesAny(command) &&
        (typesIntoTerminal(command) || [...runnableTexts(command), ...pipedTexts(command)].some(actsForPerson))) ||
      renames(command, action) ||
      actsByLink(command, action),
  )
}

/**
 * The command of a line whose program only a running shell knows, and may be Troupe, while what it is told is known to be
 * for persons: `$(cat x) permissions answer w1 allow`.
 */
export function perhapsPersonsCommand({ commands, disk }: Action): ActionCommand | undefined {
  const marks = ['{}']
  for (const command of commands) marks.push(inputMark(command.words) || '{}')
  const isUnknown = ({ value, glob }: BashWord): boolean => value === null || glob || marks.includes(value)
  const isUnsure = (word: BashWord): boolean =>
    marks.includes(word.value ?? '') || (mayBeTroupe(word) && (!word.glob || disk?.entries === undefined))
  return commands.find(({ words }) => {
    const inner = unwrapped(words)
    const isUnseen = inner[0]?.value === null && inner[0].from === undefined
    // Where the line says its name, it may be any program that nobody sees.
    if (isUnseen && (commands.some(saysTroupe) || saysTyping(commands))) return true
    if (!inner.some(isUnknown) || takesData(inner)) return false
    return inner.some(
      (word, at) =>
        isUnknown(word) && ((tellsForPerson(inner, at) && isUnsure(word)) || (tellsToType(inner, at) && mayType(word))),
    )
  })
}

/** `$(cat x) send-keys y`: the words behind the program are those with which a program types. */
function tellsToType(words: readonly BashWord[], at: number): boolean {
  const rest = words.slice(at + 1, at + 24)
  return rest.some(({ value }) => isTypingWord(value ?? '')) && programPlaces(words).includes(at)
}

function mayType(word: BashWord): boolean {
  return !located.test(word.text) && mayBeAny(word, terminalPatterns)
}

/** `c=(tmux); "${c[@]}" send-keys y`: the line names a program that types, and the word that makes it do so. */
function saysTyping(commands: readonly ActionCommand[]): boolean {
  const texts = commands.flatMap(({ words, assignments, fed = [] }) => [
    ...words.map(({ value, text }) => value ?? text),
    ...assignments,
    ...fed,
  ])
  const said = texts.flatMap((text) => text.split(/[\s"'`=();|&]+/))
  return said.some((word) => word !== '' && isTerminalProgram(word)) && said.some(isTypingWord)
}

function saysTroupe({ words, fed = [] }: ActionCommand): boolean {
  return words.some(({ value }) => isTroupe(value ?? '')) || fed.some((text) => text.split(/\s/).some(isTroupe))
}

/** A variable of the environment is no such word; `$(which docker)` names its program. */
function mayBeTroupe(word: BashWord): boolean {
  const { value, glob, text } = word
  if (value !== null && !glob) return false
  return !located.test(text) && mayBeAny(word, programs)
}

const programs = ['troupe', 'troupe@latest', '*/troupe', '*/ui/cli/bin.js', '*/ui/cli/main.js']
const located = /^"?\$\((which|command -v|type -[pP]) [\w.-]+\)"?$/

/** A single word, such as `stop`, is for persons only where it is told to a program. */
function tellsForPerson(words: readonly BashWord[], at: number): boolean {
  const rest = words.slice(at + 1, at + 24).flatMap(({ value }) => (value === null ? '$' : value))
  const [verb = '', ...more] = rest.filter((each) => !each.startsWith('-'))
  if (more.some((each) => isForPersons(`${verb} ${each}`) || (groups.has(verb) && isUnknown(each)))) return true
  if (!programPlaces(words).includes(at)) return false
  return (
    isForPersons(verb) || (verb === 'run' && rest.some((each) => /^--(trust|dangerously-skip-permissions)/.test(each)))
  )
}

/** Programs that run the one that stands behind them, or a file. */
const runners = new Set('npx bunx pnpx dlx exec x run node nodejs bun deno tsx ts-node sh bash dash zsh ksh'.split(' '))

/** The places at which a command may name a program that runs. */
function programPlaces(words: readonly BashWord[]): readonly number[] {
  const first = words.findIndex((word) => runners.has(programOf(word)))
  return first === -1 ? starts(words) : [...starts(words), ...[...words.keys()].slice(first + 1)]
}

/** `make -f <(printf 'x:\n\ttroupe stop')`: the program stands in the command that gives it. */
function pipedTexts({ words }: ActionCommand): readonly (readonly string[])[] {
  if (!worksOutProgram(unwrapped(words))) return []
  const piped = words.filter(({ from }) => from === 'pipe')
  return piped.map(({ text }) => text.replaceAll(/\\[a-z]/g, ' ').match(/[\w./@-]+/g) ?? [])
}

/** Troupe under another name: `ln -s node_modules/.bin/troupe q`, `alias q=troupe`; `xargs troupe` gets the rest as input. */
function renames(command: ActionCommand, action: Action): boolean {
  const { words } = command
  const inner = unwrapped(words)
  const last = inner.at(-1)
  if (commandName(fromXargs(words)) === 'xargs' && isPersonsProgram(last?.value ?? last?.text ?? '')) return true
  const isAlias = commandName(inner) === 'alias'
  if (isAlias && words.some((word) => isTroupe(word.value ?? word.text))) return true
  const renamed = renamedPrograms(command, action)
  if (renamed.length === 0) return false
  // A name without a place may be that of any file.
  const placed = isAlias ? renamed : inner.map(({ value, text }) => value ?? text).filter((text) => /\/|\s/.test(text))
  // A file of the project may have such a name.
  const isElsewhere = (text: string): boolean =>
    isTerminalProgram(text) &&
    (isAlias || /[(`]/.test(text) || !isInside(action.cwd, resolveFrom(action.cwd, action.home, text)))
  return (
    placed.some(isElsewhere) ||
    renamed.some(
      (path) => isTroupe(path) || leadsTo(path, command, action).some((each) => isTroupe(each) || isElsewhere(each)),
    )
  )
}

/** A program in a file that is a link to Troupe, or is found by a pattern: `./q stop`, `npx node_modules/.bin/t* stop`. */
function actsByLink(command: ActionCommand, action: Action): boolean {
  if (action.disk === undefined) return false
  const { words } = command
  const inner = unwrapped(words)
  const last = commandName(fromXargs(words)) === 'xargs' ? inner.length - 1 : -1
  return programPlaces(inner).some((at) => {
    const value = inner[at]?.value
    if (typeof value !== 'string' || (at === 0 && !value.includes('/'))) return false
    if (at === last) return leadsTo(value, command, action).some(isPersonsProgram)
    const rest = inner.slice(at + 1).map((word) => word.value ?? word.text)
    if (!decidesFor(rest) && !rest.some(isTypingWord)) return false
    return leadsTo(value, command, action).some((path) => actsAs(path, rest))
  })
}

/** The files that a path, or a pattern, of a command leads to. */
function leadsTo(path: string, { directories }: ActionCommand, { cwd, home, disk }: Action): readonly string[] {
  if (disk === undefined) return []
  const places = (directories ?? [cwd]).map((from) => resolveFrom(from, home, path))
  const found = isUnknown(path) ? places.flatMap((place) => globbed(place, disk, false) ?? []) : places
  return found.filter((each) => disk.kindAt(each) !== 'directory').map((each) => whereItLeads(each, disk))
}

/** Without one of these texts, or a name of a program that types, no command needs a closer look. */
const names = /troupe|cli\/(bin|main)|answerApproval|keepRules|saveRules|rememberTrust|readRunKey/i

function namesAny({ words, assignments, fed = [] }: ActionCommand): boolean {
  const isNamed = (text: string): boolean => names.test(text) || typistNames.test(text)
  return words.some(({ value, text }) => isNamed(value ?? text)) || [...assignments, ...fed].some(isNamed)
}

function actsForPerson(words: readonly string[]): boolean {
  const callsTerminal = words.some((word) => /ioctl$/i.test(word))
  return words.some((word, at) => {
    if (functions.test(word) || (callsTerminal && terminalCalls.test(word))) return true
    if (word === 'libtmux' && /^(import|from)$/.test(words[at - 1] ?? '')) return true
    return actsAs(word, words.slice(at + 1, at + 24))
  })
}

/** The program acts for a person when it is told this. */
function actsAs(program: string, rest: readonly string[]): boolean {
  return isTroupe(program) ? decidesFor(rest) : typesWith(program, rest)
}

/** Troupe, or a program that types into terminals. */
function isPersonsProgram(path: string): boolean {
  return isTroupe(path) || isTerminalProgram(path)
}

function isTroupe(word: string): boolean {
  if (!/troupe|ui\/cli/i.test(word)) return false
  // The output of `$(which troupe)` is Troupe.
  if (/[$`].*[\s/]troupe(@[\w.-]*)?[)"'}`]*$/is.test(word)) return true
  return /(^|\/)troupe(@[^/]*|\.cmd|\.exe)?$/i.test(word) || /(^|\/)ui\/cli\/(bin|main)(\.[jt]s)?$/.test(word)
}

/** A word that only a running shell knows may be any of them. */
function decidesFor(rest: readonly string[]): boolean {
  // The words behind the mark of find are what a found program is told.
  const mark = rest.indexOf('{}')
  if (mark !== -1 && decidesFor(rest.slice(mark + 1))) return true
  const [verb = '', ...more] = rest.filter((each) => !each.startsWith('-'))
  if (isUnknown(verb) || isForPersons(verb)) return true
  if (verb === 'run') return rest.some((each, at) => widening.test(each) && !isNarrow(each, rest[at + 1] ?? ''))
  return more.some((each) => isForPersons(`${verb} ${each}`) || (groups.has(verb) && isUnknown(each)))
}

function isUnknown(word: string): boolean {
  return /[$`*?[]/.test(word)
}

function isNarrow(option: string, next: string): boolean {
  return narrowModes.test(option) || (option === '--mode' && narrowModes.test(next))
}
