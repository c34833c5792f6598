import type { Entry } from '../../protocol/facts/entry.ts'

/** How often each tool was called. */
export type CallCounts = Record<string, number>

/** Takes one journal entry in: a call that began, or that an equal one answered. Refused ones do not count. */
export function applyCallCounts(counts: CallCounts, entry: Entry): void {
  if (entry.type !== 'call.started' && entry.type !== 'call.reused') return
  const made = Object.hasOwn(counts, entry.tool) ? (counts[entry.tool] ?? 0) : 0
  counts[entry.tool] = made + 1
}

/** Begins to count anew. */
export function forgetCalls(counts: CallCounts): void {
  for (const tool of Object.keys(counts)) delete counts[tool]
}
