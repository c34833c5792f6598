import { mostPatience } from './open-transport.ts'

/** The time that one call has. */
export interface Patience {
  /** Aborted when the time is over. */
  readonly over: AbortSignal
  /** The server told of progress: the time begins again, so often that all of it ends as well. */
  renew(): void
  close(): void
}

/**
 * The time of a call. It stands still while a person or model thinks about a question of the server: nobody answers
 * within the minute that a tool has.
 *
 * @param timeout milliseconds until the answer, or the next word of progress
 */
export function openPatience(timeout: number, isAsking: () => boolean): Patience {
  const late = new AbortController()
  const most = timeout * mostPatience
  const end = performance.now() + most
  const left = (): number => Math.max(end - performance.now(), 0)
  let timer: NodeJS.Timeout | undefined
  const begin = (): void => {
    clearTimeout(timer)
    timer = setTimeout(ring, Math.min(timeout, left()))
  }
  const ring = (): void => {
    if (isAsking()) timer = setTimeout(ring, timeout)
    else
      late.abort(new Error(left() > 0 ? `no answer within ${timeout / 1_000} s` : `no result within ${most / 1_000} s`))
  }
  begin()
  return { over: late.signal, renew: begin, close: () => clearTimeout(timer) }
}
