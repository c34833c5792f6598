import type { Entry } from '../../protocol/facts/entry.ts'
import { countDenial, noDenials, type Denials } from '../../rules/permissions/denial-tracking.ts'

/** Denials of one member's classifier, over the whole journal. */
export interface DenialCount {
  count: Denials
}

export function emptyDenials(): DenialCount {
  return { count: noDenials }
}

/** Takes one journal entry in; a restart counts on where the last life stopped. */
export function applyDenials(state: DenialCount, entry: Entry): void {
  if (entry.type === 'permission.decided') state.count = countDenial(state.count, entry.decision)
}
