import type { Entry } from '../../protocol/facts/entry.ts'
import { isCapacity } from '../../rules/team/retry-policy.ts'

/** The limit that a member waits for, in whichever of its lives. */
export interface Pause {
  /** Until when it waits for a limit to reset; null when it does not. */
  until: number | null
  /** When a busy or limited server refused it first, since anybody answered it; null when none did. */
  since: number | null
}

export function noPause(): Pause {
  return { until: null, since: null }
}

/**
 * Takes one entry of the member's own journal in: a pause lasts until it is resumed or the model has answered, and the
 * trouble behind it until the model has answered or its work has ended.
 */
export function applyPause(pause: Pause, entry: Entry): void {
  if (entry.type === 'model.paused') pause.until = entry.until
  else if (entry.type === 'model.resumed' || ends.has(entry.type)) pause.until = null
  if (ends.has(entry.type)) pause.since = null
  else if (isRefusal(entry)) pause.since ??= entry.at
}

const ends: ReadonlySet<string> = new Set(['model.settled', 'model.fell_back', 'agent.ended'])

function isRefusal(entry: Entry): boolean {
  return (entry.type === 'model.retried' || entry.type === 'model.paused') && isCapacity(entry.failure)
}
