import type { ToolResult, ToolUseBlock } from '../../protocol/conversation/message.ts'

/**
 * One comparable string for a turn: names and arguments of its calls, whatever the order of keys.
 * With the results given too, a turn that learned something new is not the same turn again: an agent that
 * edits and re-runs its tests is not stuck, one that gets the same answer every time is.
 *
 * @example signatureOf(callsOf(message), results)
 */
export function signatureOf(calls: readonly ToolUseBlock[], results: readonly ToolResult[] = []): string {
  return JSON.stringify([
    calls.map((call) => [call.name, sorted(call.input)]),
    results.map((result) => [result.is_error, result.content]),
  ])
}

/**
 * Says whether an agent goes in circles: one turn makes up `repeats` of the last `window` turns, or two
 * turns alternate all through the window. An empty signature list is never stuck.
 *
 * @param signatures One per turn with calls, oldest first.
 */
export function isStuck(
  signatures: readonly string[],
  { window = 10, repeats = 5 }: { readonly window?: number; readonly repeats?: number } = {},
): boolean {
  const recent = signatures.slice(-window)
  const latest = recent.at(-1)
  if (latest === undefined) return false
  if (recent.filter((signature) => signature === latest).length >= repeats) return true
  return recent.length === window && window >= 4 && recent.slice(2).every((signature, i) => signature === recent[i])
}

/** The same value with the keys of its objects in order. */
function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]))
}
