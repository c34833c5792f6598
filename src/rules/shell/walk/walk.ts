import type { ParsedScript, Statement } from 'unbash'
import type { BashCommand } from '../bash-command.ts'
import type { ListedPlaces } from '../listed-places.ts'
import { steers, type BashWord } from '../bash-word.ts'
import { fedRuns, foundRuns } from '../found-runs.ts'
import type { Expansion } from './expansion.ts'
import type { ShellState } from './shell-values.ts'

/** The state in which a statement starts, from the one behind the statement before it. */
export type StartOf = (statement: Statement, state: ShellState) => ShellState

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
  /** The shell goes to other directories on the line: a function may run in any. */
  readonly moves: boolean
  /** The state at any place at which bash may give up the rest of its line. */
  left?: ShellState | undefined
  startOf?: StartOf | undefined
  /** The state at any place at which a round of a loop may end early. */
  broken?: ShellState | undefined
  /** How many texts were followed that a program may give to a shell. */
  readonly tried: { count: number }
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

/** Says of `xargs`, and of what it runs, where the files of its list lie. */
export function placeList({ commands, dry }: Walk, from: number, listed: ListedPlaces): void {
  if (dry > 0) return
  for (let at = from; at < commands.length; at += 1) {
    const command = commands[at]
    if (command !== undefined && (at === from || command.found === true)) commands[at] = { ...command, listed }
  }
}

export function feed({ commands, dry }: Walk, from: number, said: readonly string[]): void {
  if (dry > 0) return
  for (let at = from; at < commands.length; at += 1) {
    const command = commands[at]
    if (command !== undefined) commands[at] = { ...command, fed: [...(command.fed ?? []), ...said] }
  }
  for (const command of commands.slice(from)) commands.push(...fedRuns(command))
}

/** Takes down a command, with what its words do besides. */
export function takeDown(command: BashCommand, { hazards, sets }: Expansion, walk: Walk): void {
  const [hazard] = hazards
  const steered = sets.filter(steers)
  if (walk.dry === 0) {
    const own = walk.depth > 0 ? { ...command, within: true as const } : command
    walk.commands.push(hazard === undefined ? own : { ...own, hazard })
    if (steered.length > 0) {
      const assignments = steered.map((name) => `${name}=`)
      walk.commands.push({ ...own, text: assignments.join(' '), words: [], assignments, redirects: [] })
    }
    for (const run of [...foundRuns(command), ...fedRuns(command)])
      walk.commands.push(walk.depth > 0 ? { ...run, within: true } : run)
    if (command.redirects.some(({ word }) => word.value === null))
      walk.problems.push('a redirect goes to a file whose name is only known when it runs')
  }
  if (steered.includes('GLOBIGNORE')) walk.wideGlobs = true
}

/** The command that says some words as `select` does. */
export function saying(words: readonly BashWord[], { directories }: ShellState): BashCommand {
  const text = ['select', ...words.map((word) => word.text)].join(' ')
  return {
    text,
    words: [{ text: 'echo', value: 'echo', glob: false }, ...words],
    assignments: [],
    redirects: [],
    directories,
  }
}
