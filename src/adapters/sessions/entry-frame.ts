import { journalVersion, type Entry, type JournalHeader } from '../../protocol/facts/entry.ts'
import type { Fact } from '../../protocol/facts/fact.ts'

/** Lines that a journal takes: facts, and once the header. */
export type Recordable = Fact | JournalHeader

/** The last entry of a journal: what the next one follows. */
export interface Position {
  readonly seq: number
  readonly id: string | null
}

/**
 * Numbers, links and times the entries of one journal. The batch is handed to `write` before the numbers advance:
 * when `write` throws, the next batch takes the same ones.
 */
export function entryFrame(owner: string, now: () => number, start: Position) {
  let position = start
  return (facts: readonly Recordable[], write: (entries: readonly Entry[]) => void): readonly Entry[] => {
    if (facts.length === 0) return []
    const at = now()
    let { seq, id } = position
    const entries = facts.map((fact): Entry => {
      const parent = id
      seq += 1
      id = `${owner}-${seq}`
      return { v: journalVersion, seq, id, parent, at, ...fact }
    })
    write(entries)
    position = { seq, id }
    return entries
  }
}
