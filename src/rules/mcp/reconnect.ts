const firstMs = 1_000
const longestMs = 30_000

/** Attempts in a row after which a server is left alone until somebody calls it. */
export const mostAttempts = 5

/** How long a connection has to last, in milliseconds, for the failures before it to be forgotten. */
export const steadyMs = 60_000

/** How long to wait before the next attempt, after so many that failed: 1 s, twice as long each time, at most 30 s. */
export function reconnectDelay(failed: number): number {
  return Math.min(firstMs * 2 ** Math.max(failed - 1, 0), longestMs)
}
