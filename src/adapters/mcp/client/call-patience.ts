import { longestTimer } from '../../../protocol/words/duration.ts'
import { mostPatience } from './open-transport.ts'

/** The time that one call has. */
export interface Patience {
  /** Aborted when the time is over. */
  readonly over: AbortSignal
  /** The server told of progress: the time begins again, so often that all of it ends as well. */
  renew(): void
  close(): void
}

const longestHold = 24 * 3_600_000

/**
 * The time of a call. The time stands still while a person or a model thinks about a question of the server: a minute, as
 * a tool has, is too short for people. A question names no call, so any call of the connection waits with it; the result
 * is put off for about a day at most, so that a server that asks again and again holds no call for ever.
 *
 * @param timeout milliseconds until the answer, or the next word of progress
 */
export function openPatience(timeout: number, isAsking: () => boolean): Patience {
  const late = new AbortController()
  const timers = new Map<string, NodeJS.Timeout>()
  const begin = (missing: string, ms: number, holds = Infinity): void => {
    const after = Math.min(ms, longestTimer)
    let left = holds
    const ring = (): void => {
      left -= 1
      if (isAsking() && left >= 0) timers.set(missing, setTimeout(ring, after))
      else late.abort(new Error(`no ${missing} within ${after / 1_000} s`))
    }
    clearTimeout(timers.get(missing))
    timers.set(missing, setTimeout(ring, after))
  }
  begin('answer', timeout)
  const whole = timeout * mostPatience
  begin('result', whole, Math.ceil(longestHold / whole))
  return {
    over: late.signal,
    renew: () => begin('answer', timeout),
    close: () => timers.forEach((timer) => clearTimeout(timer)),
  }
}
