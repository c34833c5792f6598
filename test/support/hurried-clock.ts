import { systemClock, type Clock } from '../../src/runtime/clock.ts'

/** The real clock, so many times as fast: a wait of an hour is over in a minute, and in the order it would be. */
export function hurriedClock(times: number): Clock {
  const real = systemClock()
  const began = real.now()
  return {
    ...real,
    now: () => began + (real.now() - began) * times,
    setTimeout: (fn, ms) => real.setTimeout(fn, ms / times),
  }
}
