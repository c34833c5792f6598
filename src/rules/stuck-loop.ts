import type { ToolResult, ToolUseBlock } from '../protocol/message.ts'

/**
 * What a turn did, as one comparable string: names and arguments of its calls, whatever the order of keys.
 * With the results given too, a turn that learned something new is not the same turn again: an agent that
 * edits and re-runs its tests is not stuck, one that gets the same answer every time is.
 *
 * @example signatureOf(callsOf(message), results)
 */
export function signatureOf(calls: readonly ToolUseBlock[], results: readonly ToolResult[] = []): string {
  return stableJson([
    calls.map((call) => [call.name, call.input]),
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

function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
