import { createContext, Script } from 'node:vm'

/** Longest work on what a server wrote, in milliseconds. */
const longestMs = 500

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
  opened ??= { room: createContext({ work: null }) as Room, script: new Script('work()') }
  const { room, script } = opened
  room.work = work
  try {
    return script.runInContext(room, { timeout: longestMs }) as Result
  } catch (error) {
    if (error instanceof RangeError || (error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      return null
    throw error
  } finally {
    room.work = null
  }
}
