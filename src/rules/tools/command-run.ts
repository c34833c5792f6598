import type { Entry } from '../../protocol/facts/entry.ts'
import { callsOf, type ToolUseBlock } from '../../protocol/conversation/message.ts'

/**
 * Whether a journal shows that its owner ran a command with Bash at or after a moment, and that it ended well the last
 * time. One that was left running in the background has no end.
 *
 * @param command Exactly as it was given to Bash.
 * @param since Milliseconds since the epoch.
 * @example ranWell(entries, 'npm test', claimedAt)
 */
export function ranWell(entries: Iterable<Entry>, command: string, since: number): boolean {
  // Of the latest answer: a model may use its call ids again.
  let calls: readonly string[] = []
  let well = false
  for (const entry of entries) {
    if (entry.at < since || entry.type !== 'message.appended') continue
    const { message } = entry
    if (message.role === 'assistant') calls = callsOf(message).flatMap((call) => (runs(command, call) ? [call.id] : []))
    if (message.role !== 'tool') continue
    const last = message.results.findLast(({ call_id }) => calls.includes(call_id))
    if (last) well = !last.is_error && last.exit === undefined
  }
  return well
}

function runs(command: string, { name, input }: ToolUseBlock): boolean {
  if (name !== 'Bash' || typeof input !== 'object' || input === null || !('command' in input)) return false
  return input.command === command && !('run_in_background' in input && input.run_in_background === true)
}
