import { createContext, Script } from 'node:vm'

/** Longest work on what somebody else wrote, in milliseconds. */
const longestMs = 500
/** Times that work is begun anew which the machine, busy with others, let run for less than half of its time. */
const mostTries = 5

interface Room {
  work: (() => unknown) | null
}

let opened: { readonly room: Room; readonly script: Script } | null = null

/**
 * Does some work that must not go on for ever; null when it took too long, or too much of the stack. The clock of a
 * script is the only one that stops what does not pause: a pattern, a validator.
 *
 * @throws what the work throws
 * @example limited(() => /^(a+)+$/.test(text)) // null where the text is of the wrong kind
 */
export function limited<Result>(work: () => Result): Result | null {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const before = process.cpuUsage()
    const result = attempted(work)
    const { user, system } = process.cpuUsage(before)
    if (result !== 'late') return result.done
    if ((user + system) / 1_000 > longestMs / 2) return null
  }
  return null
}

function attempted<Result>(work: () => Result): { readonly done: Result | null } | 'late' {
  opened ??= { room: createContext({ work: null }) as Room, script: new Script('work()') }
  const { room, script } = opened
  room.work = work
  try {
    return { done: script.runInContext(room, { timeout: longestMs }) as Result }
  } catch (error) {
    if (error instanceof RangeError) return { done: null }
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'late'
    throw error
  } finally {
    room.work = null
  }
}
