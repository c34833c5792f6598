import type { Recorded } from '../../protocol/facts/entry.ts'

/**
 * Puts the journals of a run into one order: each journal keeps its own, and among journals the earlier
 * time comes first (the earlier journal of the list when times are equal).
 *
 * `mergeJournals([teamEntries, leadEntries])`
 */
export function mergeJournals(journals: readonly (readonly Recorded[])[]): readonly Recorded[] {
  const heads = journals.map(() => 0)
  const merged: Recorded[] = []
  const total = journals.reduce((sum, journal) => sum + journal.length, 0)
  while (merged.length < total) {
    const from = earliest(journals, heads)
    const next = journals[from]?.[heads[from] ?? 0]
    if (next === undefined) break
    merged.push(next)
    heads[from] = (heads[from] ?? 0) + 1
  }
  return merged
}

function earliest(journals: readonly (readonly Recorded[])[], heads: readonly number[]): number {
  let found = -1
  let first = Number.POSITIVE_INFINITY
  journals.forEach((journal, index) => {
    const at = journal[heads[index] ?? 0]?.entry.at
    if (at === undefined || (found >= 0 && at >= first)) return
    first = at
    found = index
  })
  return found
}
