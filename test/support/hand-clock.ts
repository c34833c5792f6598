import type { Clock } from '../../src/runtime/actors/clock.ts'

/** A clock that stands until it is told to go on. */
export interface HandClock extends Pick<Clock, 'now' | 'setTimeout' | 'clearTimeout'> {
  /** Timers that are due go off in their order. */
  pass(ms: number): void
  readonly open: () => number
}

export function handClock(): HandClock {
  const timers = new Map<number, { readonly due: number; readonly fn: () => void }>()
  let [at, last] = [0, 0]
  return {
    now: () => at,
    open: () => timers.size,
    setTimeout(fn, ms) {
      last += 1
      timers.set(last, { due: at + ms, fn })
      return last
    },
    clearTimeout: (id) => void timers.delete(id as number),
    pass(ms) {
      const end = at + ms
      for (;;) {
        const [next] = [...timers].filter(([, { due }]) => due <= end).toSorted(([, a], [, b]) => a.due - b.due)
        if (next === undefined) break
        const [id, { due, fn }] = next
        timers.delete(id)
        at = due
        fn()
      }
      at = end
    },
  }
}
