import type { Clock } from '../../src/runtime/actors/clock.ts'

export interface VirtualClock extends Clock {
  /** Every wait that was begun, in milliseconds. */
  readonly waits: readonly number[]
  /** Timers that have neither gone off nor been cleared. */
  readonly open: () => number
}

/** A clock on which every wait is over at once: time jumps to its end. Names count up, chance repeats by its seed. */
export function virtualClock(seed = 1): VirtualClock {
  const waits: number[] = []
  const open = new Map<number, NodeJS.Immediate>()
  let at = Date.UTC(2026, 0, 1)
  let minted = 0
  let state = seed
  return {
    waits,
    open: () => open.size,
    now: () => at,
    mint: () => String((minted += 1)).padStart(26, '0'),
    random() {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return state / 2_147_483_648
    },
    setTimeout(fn, ms) {
      const id = waits.push(ms)
      open.set(
        id,
        setImmediate(() => {
          open.delete(id)
          at += ms
          fn()
        }),
      )
      return id
    },
    clearTimeout(id) {
      clearImmediate(open.get(id as number))
      open.delete(id as number)
    },
  }
}
