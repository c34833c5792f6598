import type { Millis } from '../../protocol/words/ids.ts'

const firstDelayMs = 500
const longestDelayMs = 30_000

/**
 * How long a member that could not be started is left alone before the next attempt: what keeps it from starting (a
 * program that is missing, a folder that is locked) seldom ends at once. One that had started begins again without delay.
 *
 * @param failedStarts How many attempts in a row came to nothing.
 * @example startDelayMs(3) // 2,000
 */
export function startDelayMs(failedStarts: number): number {
  return failedStarts === 0 ? 0 : Math.min(firstDelayMs * 2 ** (failedStarts - 1), longestDelayMs)
}

/**
 * OTP's restart intensity: a member may crash `max` times within the last `within_ms` and is restarted
 * each time; one crash more and it is given up.
 *
 * @param crashes When the member crashed, the crash being judged included.
 * @param at Now.
 * @example restartAllowed([0, 1_000, 2_000], 2_000, { max: 2, within_ms: 60_000 }) // false: the third in a minute
 */
export function restartAllowed(
  crashes: readonly Millis[],
  at: Millis,
  intensity: { readonly max: number; readonly within_ms: number },
): boolean {
  return crashes.filter((crash) => at - crash < intensity.within_ms).length <= intensity.max
}
