import type { FileState } from '../../protocol/facts/change-fact.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'

/** The files of a run that have another content now than at one of its entries. */
export interface StatesAt {
  /** The states that they had, by path. */
  readonly files: ReadonlyMap<string, FileState>
  /** Changes since of which nobody knows what they were. */
  readonly doubts: readonly string[]
}

/**
 * The states of files at an entry, as far as members changed them since.
 *
 * @param merged the entries of all journals in their order
 * @param cut the place of the entry
 * @example statesAt(mergeJournals(journals), 17).files.get('/project/a.txt')?.sha256
 */
export function statesAt(merged: readonly Recorded[], cut: number): StatesAt {
  const files = new Map<string, FileState>()
  const doubts: string[] = []
  const left = new Map<string, FileState>()
  for (const [place, { owner, entry }] of merged.entries()) {
    if (entry.type === 'files.changed') {
      for (const { path, before, after } of entry.files) {
        if (place <= cut) left.set(path, after)
        else if (!files.has(path)) files.set(path, before)
      }
      if (place > cut && entry.untaken !== undefined) doubts.push(`a turn of ${owner}: ${entry.untaken}`)
    } else if (entry.type === 'turns.undone') {
      for (const path of entry.files) {
        if (place <= cut) left.delete(path)
        else if (!files.has(path) && left.has(path)) files.set(path, left.get(path) ?? null)
      }
    }
  }
  return { files, doubts }
}
