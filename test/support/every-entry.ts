import type { Entry, EntryFold } from '../../src/protocol/facts/entry.ts'

/** The fold that keeps all of a journal. */
export const everyEntry: EntryFold<Entry[]> = {
  version: 'every-entry',
  empty: () => [],
  apply: (entries, entry) => void entries.push(entry),
}
