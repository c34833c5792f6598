import type { Entry } from '../../protocol/facts/entry.ts'
import { adviceText } from '../../rules/team/advice.ts'

/** How often a member's advisor was asked, over its whole journal. */
export interface AdviceCount {
  used: number
  /** The advisor's words on calls of the latest answer, by the call's id. */
  readonly said: Map<string, string>
}

export function noAdvice(): AdviceCount {
  return { used: 0, said: new Map() }
}

/** Takes one journal entry in. */
export function applyAdvice(count: AdviceCount, entry: Entry): void {
  if (entry.type === 'message.appended' && entry.message.role === 'assistant') count.said.clear()
  if (entry.type !== 'model.consulted' || entry.purpose !== 'advice') return
  count.used += 1
  const { call_id, advice, stop } = entry
  if (advice !== undefined) count.said.set(call_id, adviceText(advice, stop === 'max_tokens'))
}
