import type { Entry } from '../protocol/entry.ts'
import { callsOf, textOf } from '../protocol/message.ts'

/** What Bash writes under the output of a command that did not end well, or did not end. */
const badEnding = /\[(exit [1-9]\d*|ended by \w+|not started: .*|stopped after .*|interrupted, .*)\]\s*$/

/**
 * Whether a journal shows that its owner ran a command with Bash, to a good end, at or after a moment.
 *
 * @param command Exactly as it was given to Bash.
 * @param since Milliseconds since the epoch.
 * @example ranWell(entries, 'npm test', claimedAt)
 */
export function ranWell(entries: Iterable<Entry>, command: string, since: number): boolean {
  const calls = new Set<string>()
  for (const entry of entries) {
    if (entry.at < since || entry.type !== 'message.appended') continue
    const { message } = entry
    if (message.role === 'assistant') {
      for (const { id, name, input } of callsOf(message))
        if (name === 'Bash' && commandIn(input) === command) calls.add(id)
    } else if (message.role === 'tool') {
      const good = message.results.some(
        (result) => calls.has(result.call_id) && !result.is_error && !badEnding.test(textOf(result)),
      )
      if (good) return true
    }
  }
  return false
}

function commandIn(input: unknown): unknown {
  return typeof input === 'object' && input !== null && 'command' in input ? input.command : undefined
}
