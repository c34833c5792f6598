import { journalCursor, type JournalPosition } from '../../adapters/sessions/journal-cursor.ts'
import { readRun } from '../../adapters/sessions/read-run.ts'
import { mergeJournals } from '../../projections/fold/merge.ts'
import type { Entry, Recorded } from '../../protocol/facts/entry.ts'
import { journalFile } from './read-runs.ts'

/** The content of a run's journals before a new leader takes over. */
export interface EarlierRun {
  readonly recorded: readonly Recorded[]
  /** How far each journal was read, by owner. */
  readonly positions: ReadonlyMap<string, JournalPosition>
}

/** The past of a run that has none. */
export const noPast: EarlierRun = { recorded: [], positions: new Map() }

/**
 * Reads what was recorded, up to the last whole line of each journal. What tools put out, nearly all that a long run
 * holds, is left out: a leader asks which calls have a result, and which requests one of `Delegate` names.
 */
export function readEarlier(dir: string): EarlierRun {
  const read = readRun(dir).journals.map((owner) => {
    const cursor = journalCursor(journalFile(dir, owner))
    const entries: Entry[] = []
    cursor.each((entry) => void entries.push(withoutOutput(entry)))
    return { owner, entries, position: cursor.position() }
  })
  const journals = read.map(({ owner, entries }) => entries.map((entry) => ({ owner, entry })))
  return {
    recorded: mergeJournals(journals).filter(({ entry }) => entry.type !== 'journal.opened'),
    positions: new Map(read.map(({ owner, position }) => [owner, position])),
  }
}

function withoutOutput(entry: Entry): Entry {
  if (entry.type !== 'message.appended' || entry.message.role !== 'tool') return entry
  const results = entry.message.results.map((result) =>
    result.tool === 'Delegate' ? result : { ...result, content: [] },
  )
  return { ...entry, message: { ...entry.message, results } }
}
