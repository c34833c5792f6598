import type { Recorded } from '../../protocol/facts/entry.ts'
import { durationMs } from '../../protocol/words/duration.ts'

/**
 * The number of the last fact by a moment of a run.
 *
 * @param until the id of an entry (`lead-17`), a time from the start (`90s`, `10m`), or a point in time (`2026-11-27T14:05:00Z`)
 * @returns null when the text is none of them, or the run has no such entry
 * @example lastFactBy(recorded, '90s')
 */
export function lastFactBy(recorded: readonly Recorded[], until: string): number | null {
  const index = recorded.findIndex(({ entry }) => entry.id === until)
  if (index >= 0) return index + 1
  const at = pointInTime(until, recorded[0]?.entry.at ?? 0)
  return at === null ? null : recorded.findLastIndex(({ entry }) => entry.at <= at) + 1
}

function pointInTime(text: string, began: number): number | null {
  if (/^\d+(ms|s|m|h)$/.test(text)) return began + durationMs(text)
  const at = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN
  return Number.isNaN(at) ? null : at
}

/** The words for a moment that a run does not have. */
export function noMomentText(run: string, until: string): string {
  const forms = 'and that is no time such as 90s or 2026-11-27T14:05:00Z'
  return `${run} has no entry "${until}", ${forms}; troupe logs --json ${run} shows the ids of all`
}
