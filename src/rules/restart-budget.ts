import type { Millis } from '../protocol/ids.ts'

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
