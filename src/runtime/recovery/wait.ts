import type { Clock } from '../actors/clock.ts'

/** Waits on this clock, or until the signal aborts: then false. Nothing is left behind either way. */
export function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false)
  return new Promise((resolve) => {
    const over = (whole: boolean): void => {
      clock.clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      resolve(whole)
    }
    const stop = (): void => over(false)
    const timer = clock.setTimeout(() => over(true), ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
