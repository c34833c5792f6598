import { runnableTexts } from '../shell/runnable-texts.ts'
import type { Action, ActionCommand } from './action.ts'

/** Commands of Troupe with which a person answers, trusts, steers or ends. */
const verbs = /^(trust|stop|resume|continue|attach|acp|serve|dashboard)$/
const permissionVerbs = /^(answer|add)$/
/** Programs that type into terminals, with the words that make them do it. */
const typists: Readonly<Record<string, RegExp>> = {
  tmux: /^(send|send-keys|send-prefix|paste-buffer|pasteb|pipe-pane|run-shell|run|if-shell|respawn-pane|respawn-window|set-hook|command-prompt)$/,
  kitty: /^(send-text|send-key|launch|run)$/,
  kitten: /^(send-text|send-key|launch|run)$/,
  wezterm: /^(send-text|spawn|split-pane)$/,
  zellij: /^(write|write-chars|run|paste)$/,
  screen: /^(stuff|paste|-X)$/,
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
  return commands.find((command) => runnableTexts(command).some(actsForPerson))
}

function actsForPerson(words: readonly string[]): boolean {
  return words.some((word, at) => {
    const name = word.slice(word.lastIndexOf('/') + 1)
    const rest = words.slice(at + 1, at + 12)
    if (isTroupe(word, name)) return decidesFor(rest.filter((each) => !each.startsWith('-')))
    return Object.hasOwn(typists, name) && rest.some((each) => typists[name]?.test(each) === true)
  })
}

function isTroupe(word: string, name: string): boolean {
  return /^troupe(@.*)?$/.test(name) || /(^|\/)ui\/cli\/bin\.[jt]s$/.test(word)
}

/** A word that only a running shell knows may be any of them. */
function decidesFor([verb = '', second = '']: readonly string[]): boolean {
  if (/[$`]/.test(verb)) return true
  if (verb === 'permissions') return permissionVerbs.test(second) || /[$`]/.test(second)
  return verbs.test(verb)
}
