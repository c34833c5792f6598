import { hasResult, type Conversation } from '../conversation/context-window.ts'

/** Characters of one skill that was opened earlier, and of all. */
const [mostOfOne, mostInAll] = [16_000, 48_000] as const

/**
 * The skills that an agent has opened and whose text its conversation no longer holds whole, because it was made shorter; the
 * one opened last is kept first. Empty when there are none.
 */
export function skillsInUse(conversation: Conversation): string {
  const kept: string[] = []
  let left: number = mostInAll
  for (const { call, text } of [...conversation.skills.values()].toReversed()) {
    if (hasResult(conversation, call)) continue
    const shown =
      text.length <= mostOfOne ? text : `${text.slice(0, mostOfOne)}…\n</skill>\nOpen it again for the rest.`
    if (shown.length > left) continue
    left -= shown.length
    kept.unshift(shown)
  }
  return kept.length === 0 ? '' : ['You have opened these skills:', ...kept].join('\n')
}
