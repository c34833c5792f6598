import { randomFillSync } from 'node:crypto'
import { incrementBase32, ulid } from 'ulid'
import { longestTimer } from '../../protocol/words/duration.ts'

/** Where time and fresh names come from: the only place that reads the system's clock and randomness. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** A new ULID, sortable, never twice. */
  mint(): string
  /** Milliseconds that pass evenly, whatever is done to the time of day. */
  monotonic?(): number
  /** A fraction from 0 to 1; in the middle when left out. */
  random?(): number
  setTimeout(fn: () => void, ms: number): unknown
  clearTimeout(id: unknown): void
}

/** Milliseconds from a moment until now: none when the clock was set back meanwhile. */
export function elapsed(since: number, now: number): number {
  return Math.max(0, now - since)
}

/** The real one; tests hand in a simulated one. */
export function systemClock(): Clock {
  const random = pooledRandom()
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    mint: risingUlids(random),
    random,
    // A timer that is longer than Node can count would ring at once, and again each time it is set anew.
    setTimeout: (fn, ms) => setTimeout(fn, Math.min(ms, longestTimer)),
    clearTimeout: (id) => clearTimeout(id as NodeJS.Timeout),
  }
}

/**
 * ULIDs that rise even while the clock stands still or is set back. Within a millisecond each is the one before plus
 * one: encoding a time is most of what a ULID costs.
 */
function risingUlids(random: () => number): () => string {
  let at = 0
  let last = ''
  return () => {
    const now = Date.now()
    last = now > at ? ulid(now, random) : incrementBase32(last)
    at = Math.max(at, now)
    return last
  }
}

/** Random fractions from a pool: one call to the system for 4,096 of them instead of one for each. */
function pooledRandom(): () => number {
  const pool = new Uint8Array(4096)
  let next = pool.length
  return () => {
    if (next === pool.length) {
      randomFillSync(pool)
      next = 0
    }
    return (pool[next++] ?? 0) / 256
  }
}
