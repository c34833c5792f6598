import { monotonicFactory } from 'ulid'

/** Where time and fresh names come from: the only place that reads the system's clock and randomness. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** A new ULID, sortable, never twice. */
  mint(): string
  setTimeout(fn: () => void, ms: number): unknown
  clearTimeout(id: unknown): void
}

/** The real one; tests hand in a simulated one. */
export function systemClock(): Clock {
  const ulid = monotonicFactory()
  return {
    now: () => Date.now(),
    mint: () => ulid(),
    setTimeout: (fn, ms) => setTimeout(fn, ms),
    clearTimeout: (id) => clearTimeout(id as NodeJS.Timeout),
  }
}
