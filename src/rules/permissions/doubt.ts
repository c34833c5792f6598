import { readsUnseen } from '../shell/bash-reads.ts'
import type { Places } from '../paths/path-pattern.ts'
import type { Action } from './analyse.ts'
import { spots } from './bounds.ts'
import type { ReadyRule } from './match.ts'

/** Says whether a call may touch files that stand nowhere in it, so that path rules have to be asked for doubts. */
export function maybeReads(action: Action): boolean {
  return (
    action.tool === 'Bash' && (action.paths.some(({ below }) => below !== undefined) || action.commands.some(unseen))
  )
}

function unseen(command: Action['commands'][number]): boolean {
  return readsUnseen(command, false)
}

/**
 * Why a path rule that forbids cannot be sure about a shell line: files below a directory that is read as a whole, or
 * names that only a running shell knows. Null when there is no doubt.
 */
export function doubts({ rule, pattern }: ReadyRule, action: Action, places: Places): string | null {
  if (pattern === null) return null
  const edits = rule.tool !== 'Read'
  const unknown = action.commands.find((command) => readsUnseen(command, edits))
  if (unknown !== undefined) return `which files ${unknown.text} touches is only known when it runs`
  const whole = action.paths.find(
    (found) =>
      !edits &&
      found.below !== undefined &&
      spots(found).some((spot) => pattern.mayLieBelow(spot, found.below, places)),
  )
  return whole === undefined ? null : `files below ${whole.path} are read as well`
}
