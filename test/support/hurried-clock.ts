import { systemClock, type Clock } from '../../src/runtime/actors/clock.ts'

/** The real clock, so many times as fast: a wait of an hour is over in a minute, and in the order it would be. */
export function hurriedClock(times: number): Clock {
  const clock = standingClock(times)
  clock.start()
  return clock
}

/** The same, and it stands until it is started: what takes the machine its time beforehand is no part of the wait. */
export function standingClock(times: number): Clock & { start(): void } {
  const real = systemClock()
  const began = real.now()
  let since: number | null = null
  return {
    ...real,
    now: () => began + (since === null ? 0 : (real.now() - since) * times),
    setTimeout: (fn, ms) => real.setTimeout(fn, ms / times),
    start: () => void (since ??= real.now()),
  }
}
