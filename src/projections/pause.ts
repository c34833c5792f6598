import type { Entry } from '../protocol/entry.ts'

/** Until when a member waits for a limit to reset; null when it does not. */
export interface Pause {
  until: number | null
}

export function noPause(): Pause {
  return { until: null }
}

/** Takes one entry of the member's own journal in: a pause lasts until it is resumed or the model has answered. */
export function applyPause(pause: Pause, entry: Entry): void {
  if (entry.type === 'model.paused') pause.until = entry.until
  else if (ends.has(entry.type)) pause.until = null
}

const ends: ReadonlySet<string> = new Set(['model.resumed', 'model.settled', 'model.fell_back'])
