import type { Entry } from '../protocol/entry.ts'

/** How often a member's advisor was asked, over its whole journal. */
export interface AdviceCount {
  used: number
}

export function noAdvice(): AdviceCount {
  return { used: 0 }
}

/** Takes one journal entry in. */
export function applyAdvice(count: AdviceCount, entry: Entry): void {
  if (entry.type === 'model.consulted' && entry.purpose === 'advice') count.used += 1
}
