import type { Recorded } from '../../protocol/facts/entry.ts'

/**
 * Puts the journals of a run into one order: each journal keeps its own, and among journals the earlier
 * time comes first (the earlier journal of the list when times are equal). A line that says what was heard before it comes
 * after that.
 *
 * `mergeJournals([teamEntries, leadEntries])`
 */
export function mergeJournals(journals: readonly (readonly Recorded[])[]): readonly Recorded[] {
  const heads = journals.map(() => 0)
  const merged: Recorded[] = []
  const total = journals.reduce((sum, journal) => sum + journal.length, 0)
  while (merged.length < total) {
    const next = journals.map((journal, index) => journal[heads[index] ?? 0])
    const ready = earliest(next, (head) => isHeard(head, next))
    const from = ready < 0 ? earliest(next, () => true) : ready
    const head = next[from]
    if (head === undefined) break
    merged.push(head)
    heads[from] = (heads[from] ?? 0) + 1
  }
  return merged
}

type Heads = readonly (Recorded | undefined)[]

function earliest(heads: Heads, isReady: (head: Recorded) => boolean): number {
  let found = -1
  let first = Number.POSITIVE_INFINITY
  heads.forEach((head, index) => {
    if (head === undefined || (found >= 0 && head.entry.at >= first) || !isReady(head)) return
    first = head.entry.at
    found = index
  })
  return found
}

/** Lines that were heard before this one are in the order already. */
function isHeard({ entry: { heard } }: Recorded, heads: Heads): boolean {
  if (heard === undefined) return true
  return heads.every((head) => {
    if (head === undefined || !Object.hasOwn(heard, head.owner)) return true
    return head.entry.seq > (heard[head.owner] ?? 0)
  })
}
