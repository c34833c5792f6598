import { isForPersons } from '../../protocol/permissions/persons-acts.ts'
import { resolveFrom } from '../paths/path-inside.ts'
import { commandName, unwrapped } from '../shell/bash-wrappers.ts'
import { runnableTexts } from '../shell/runnable-texts.ts'
import { worksOutProgram } from '../shell/worked-out-programs.ts'
import type { Action, ActionCommand } from './action.ts'
import { globbed } from './disk.ts'
import { renamedPrograms, whereItLeads } from './new-links.ts'

/** Groups in which some commands are for persons. */
const groups = new Set(['permissions', 'memory', 'mcp', 'mail', 'runs', 'worktrees'])
/** Options with which a run is given more than its settings give it. */
const widening = /^--(allow|trust|mode|dangerously-skip-permissions|classifier|wait-permissions)(=|$)/
const narrowModes = /^(--mode=)?(plan|dontAsk|default)$/
/** Names by which programs would use the library to the same end. */
const functions = /(^|\.)(answerApproval|keepRules|saveRules|rememberTrust|readRunKey)$/
/** Programs that type into terminals, with the words that make them do it. */
const typists: Readonly<Record<string, RegExp>> = {
  // Subcommands of tmux may be cut short.
  tmux: /^(send(-.*)?|paste(b|-.*)?|pipep?(-.*)?|run(-.*)?|if(-.*)?|respawn[pw]?(-.*)?|set-h.*|command(-.*)?|source(-.*)?)$/,
  kitty: /^(send-text|send-key|launch|run|load-config|action|kitten)$/,
  kitten: /^(send-text|send-key|launch|run|load-config|action)$/,
  wezterm: /^(send-text|spawn|split-pane)$/,
  zellij: /^(write|write-chars|run|paste)$/,
  screen: /^(stuff|paste|process|exec|-[a-zA-Z]*X)$/,
  xdotool: /^(type|key|keydown)$/,
  ydotool: /^(type|key)$/,
  wtype: /./,
}

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
        ([...runnableTexts(command), ...pipedTexts(command)].some(actsForPerson) || renames(command, action))) ||
      actsByLink(command, action),
  )
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
  const last = unwrapped(words).at(-1)
  if (commandName(words) === 'xargs' && isTroupe(last?.value ?? last?.text ?? '')) return true
  return renamedPrograms(command, action).some(isTroupe)
}

/** A program in a file that is a link to Troupe: `./q stop`. */
function actsByLink({ words, directories }: ActionCommand, { cwd, home, disk }: Action): boolean {
  const inner = unwrapped(words)
  const [name, ...rest] = inner.map(({ value, text }) => value ?? text)
  if (name?.includes('/') !== true || disk === undefined) return false
  const places = (directories ?? [cwd]).map((from) => resolveFrom(from, home, name))
  const run = inner[0]?.glob === true ? places.flatMap((place) => globbed(place, disk, false) ?? []) : places
  return run.some((path) => isTroupe(whereItLeads(path, disk))) && decidesFor(rest)
}

/** Without one of these texts in it no command needs a closer look. */
const names =
  /troupe|cli\/(bin|main)|tmux|kitt|wezterm|zellij|screen|dotool|wtype|answerApproval|keepRules|saveRules|rememberTrust|readRunKey/i

function namesAny({ words, assignments, fed = [] }: ActionCommand): boolean {
  return (
    words.some(({ value, text }) => names.test(value ?? text)) ||
    [...assignments, ...fed].some((text) => names.test(text))
  )
}

function actsForPerson(words: readonly string[]): boolean {
  return words.some((word, at) => {
    const name = word.slice(word.lastIndexOf('/') + 1)
    const rest = words.slice(at + 1, at + 24)
    if (functions.test(word)) return true
    if (isTroupe(word)) return decidesFor(rest)
    const typist = typistOf(name)
    return typist !== undefined && rest.some((each) => typist.test(each))
  })
}

/** `Tmux` and `tmux.exe` are found by systems that do not mind. */
function typistOf(name: string): RegExp | undefined {
  const plain = name.toLowerCase().replace(/\.exe$/, '')
  return Object.hasOwn(typists, plain) ? typists[plain] : undefined
}

function isTroupe(word: string): boolean {
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
