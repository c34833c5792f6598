import type { Entry } from '../../protocol/facts/entry.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'

/** The message to an agent whose earlier life ended before its work was checked. */
export const uncheckedText =
  'Interrupted: the process ended before this work was checked. Say once more, in full, what you report; then it is checked.'

/**
 * Finds the check that an earlier life left open.
 * @returns `atEnd`: the last words were said and the work was never declared over; `dropped`: the check that was under way,
 * as ended without a verdict
 */
export function uncheckedWork(entries: readonly Entry[]): {
  readonly atEnd: boolean
  readonly dropped: readonly FactOf<'verify.settled'>[]
} {
  let atEnd = false
  let open: { readonly call_id: string; readonly command: string } | null = null
  for (const entry of entries) {
    if (entry.type === 'message.appended') atEnd = isLastWord(entry.message)
    else if (entry.type === 'agent.ended') atEnd = false
    else if (entry.type === 'verify.started') open = entry
    else if (entry.type === 'verify.settled') open = null
  }
  if (open === null) return { atEnd, dropped: [] }
  const { call_id, command } = open
  const after = atEnd ? 'end' : 'change'
  const reason = 'the process that ran it ended'
  return {
    atEnd,
    dropped: [{ type: 'verify.settled', call_id, command, after, verdict: 'not_run', duration_ms: 0, reason }],
  }
}

function isLastWord(message: FactOf<'message.appended'>['message']): boolean {
  return message.role === 'assistant' && !message.content.some(({ type }) => type === 'tool_use')
}
