import type { ParsedScript } from 'unbash'
import type { BashCommand } from '../bash-command.ts'
import { commandName } from '../bash-wrappers.ts'
import type { ListedPlaces } from '../listed-places.ts'
import { joined, sameState, type ShellState } from './shell-values.ts'

/** The part of a line that was seen so far. */
export interface Walk {
  readonly commands: BashCommand[]
  readonly problems: string[]
  /** The scripts that were come to: the line's own, and those of its substitutions. */
  readonly followed: Set<ParsedScript>
  /** Above 0 the line is followed only to see how its state changes. */
  dry: number
  loops: number
  /** How many script texts stand around this one. */
  depth: number
  wideGlobs: boolean
  /** How much was followed, rounds that are only tried included. */
  steps: number
  /** The line holds more than the commands that were taken down. */
  unseen: boolean
}

/** Notes that commands are lost, and why. */
export function lose(walk: Walk, why: string): void {
  if (!walk.unseen) walk.problems.push(why)
  walk.unseen = true
}

/** More commands than this are not judged, and no more texts of words are worked out in all rounds of all loops. */
const mostCommands = 250
const mostSteps = 2_500

/** Counts commands, and the texts of their words, before they are followed, and says whether they are too many. */
export function goesTooFar(walk: Walk, count: number): boolean {
  walk.steps += count
  if (walk.steps <= mostSteps && walk.commands.length <= mostCommands) return false
  lose(walk, `the line holds more than ${mostCommands} commands`)
  return true
}

/** A list that is sorted or cut is still one of the same files; one with more operands comes from another file. */
export function passesOn({ words }: BashCommand): boolean {
  const name = commandName(words)
  if (!/^(sort|uniq|head|tail|grep)$/.test(name)) return false
  const values = words.slice(1).map(({ value }) => value ?? '-f')
  if (values.some((value) => /^(-[a-zA-Z]*[fT]|--f)/.test(value))) return false
  const operands = values.filter((value, at) => !value.startsWith('-') && !/^-[nckt]$/.test(values[at - 1] ?? ''))
  return operands.length <= (name === 'grep' && !values.includes('-e') ? 1 : 0)
}

/** Says of `xargs`, and of what it runs, where the files of its list lie. */
export function placeList({ commands, dry }: Walk, from: number, listed: ListedPlaces): void {
  const first = commands[from]
  if (dry > 0 || first === undefined || commandName(first.words) !== 'xargs') return
  for (let at = from; at < commands.length; at += 1) {
    const command = commands[at]
    if (command !== undefined && (at === from || command.found === true)) commands[at] = { ...command, listed }
  }
}

/** The texts that `echo` and `printf` hand on. */
export function saidBy(commands: readonly BashCommand[]): readonly string[] | undefined {
  const said = commands.filter(({ words }) => /^(echo|printf)$/.test(commandName(words)))
  return said.length === 0
    ? undefined
    : said.map(({ words }) =>
        words
          .slice(1)
          .map(({ value }) => value ?? '')
          .join(' ')
          .replaceAll(/\\(?:x([\da-f]{1,2})|0?([0-7]{1,3})|[nrtv])/gi, (_all, hex?: string, octal?: string) =>
            hex === undefined && octal === undefined
              ? '\n'
              : String.fromCharCode(Number.parseInt(hex ?? octal ?? '', hex === undefined ? 8 : 16)),
          ),
      )
}

export function feed({ commands, dry }: Walk, from: number, said: readonly string[]): void {
  if (dry > 0) return
  for (let at = from; at < commands.length; at += 1) {
    const command = commands[at]
    if (command !== undefined) commands[at] = { ...command, fed: [...(command.fed ?? []), ...said] }
  }
}

/** The state that holds at the start of every round of a loop. */
export function steadyState(start: ShellState, walk: Walk, round: (state: ShellState) => ShellState): ShellState {
  walk.dry += 1
  let state = start
  let steady = false
  for (let tries = 0; tries < 3 && !steady; tries += 1) {
    const next = joined(state, { ...round(state), ended: false })
    steady = sameState(state, next)
    state = next
  }
  walk.dry -= 1
  if (steady) return state
  // Texts that grow with every round are not known.
  const grown = new Map(
    [...state.variables].map(([name, values]) => [name, start.variables.get(name) === values ? values : null]),
  )
  return { ...state, variables: grown, directories: start.directories === state.directories ? state.directories : null }
}
