import { isForPersons } from '../../protocol/permissions/persons-acts.ts'
import { runnableTexts } from '../shell/runnable-texts.ts'
import type { Action, ActionCommand } from './action.ts'

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
export function personsCommand({ commands }: Action): ActionCommand | undefined {
  return commands.find((command) => namesAny(command) && runnableTexts(command).some(actsForPerson))
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
    if (isTroupe(word, name)) return decidesFor(rest)
    const typist = typistOf(name)
    return typist !== undefined && rest.some((each) => typist.test(each))
  })
}

/** `Tmux` and `tmux.exe` are found by systems that do not mind. */
function typistOf(name: string): RegExp | undefined {
  const plain = name.toLowerCase().replace(/\.exe$/, '')
  return Object.hasOwn(typists, plain) ? typists[plain] : undefined
}

function isTroupe(word: string, name: string): boolean {
  return /^troupe(@.*|\.cmd|\.exe)?$/i.test(name) || /(^|\/)ui\/cli\/(bin|main)(\.[jt]s)?$/.test(word)
}

/** A word that only a running shell knows may be any of them. */
function decidesFor(rest: readonly string[]): boolean {
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
