import type { ParsedScript } from 'unbash'
import { joined, perhaps, sameState, type ShellState } from './shell-values.ts'
import type { StartOf, Walk } from './walk.ts'

/** Notes a state in which the rest of the line may be given up. */
export function leave(walk: Walk, states: readonly ShellState[]): void {
  for (const state of states) walk.left = walk.left === undefined ? state : joined(walk.left, state)
}

/** Notes the state in which `break` or `continue` ends a round. */
export function breakOff(walk: Walk, state: ShellState): void {
  walk.broken = walk.broken === undefined ? state : joined(walk.broken, state)
}

/** A command that gives up its line does not give up the next one: only the statements of a source itself stand on lines. */
export function lineStarts({ commands }: ParsedScript, source: string, walk: Walk): StartOf {
  const own = new Set(commands)
  let end = 0
  return (statement, state) => {
    if (!own.has(statement)) return state
    const { left } = walk
    const begins = source.slice(end, statement.pos).includes('\n')
    end = statement.end
    if (left === undefined || !begins) return state
    walk.left = undefined
    return joined(state, left)
  }
}

/** More loops in each other than this are not followed. */
const deepestLoop = 3

/** The state behind a loop, whose rounds may be broken off. */
export function walkRounds(start: ShellState, walk: Walk, round: (state: ShellState) => ShellState): ShellState {
  if (walk.loops >= deepestLoop) return round({ ...start, fogged: 'always', directories: null })
  const { broken } = walk
  walk.loops += 1
  walk.broken = undefined
  const wholeRound = (state: ShellState): ShellState => {
    const end = round(state)
    return walk.broken === undefined ? end : joined(end, walk.broken)
  }
  const state = steadyState(start, walk, wholeRound)
  const end = wholeRound(state)
  walk.loops -= 1
  // `break 2` ends the loop around this one as well.
  if (walk.loops === 0) walk.broken = broken
  else if (broken !== undefined) breakOff(walk, broken)
  return perhaps(state, end)
}

/** The state that holds at the start of every round of a loop. */
function steadyState(start: ShellState, walk: Walk, round: (state: ShellState) => ShellState): ShellState {
  walk.dry += 1
  let state = start
  let steady = false
  for (let tries = 0; tries < 3 && !steady; tries += 1) {
    const next = perhaps(state, round(state))
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
