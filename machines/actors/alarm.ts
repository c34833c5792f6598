import type { Millis } from '../../src/protocol/words/ids.ts'

/** The longest delay that a timer holds (24.8 days); a longer one would go off at once. */
export const longestDelay = 2_147_483_647

/**
 * How long to wait from `at` until the absolute `deadline`: never negative, never more than a timer holds.
 * `delayUntil(1_000, 400)` → `600`.
 */
export function delayUntil(deadline: Millis, at: Millis): number {
  return Math.min(Math.max(deadline - at, 0), longestDelay)
}
