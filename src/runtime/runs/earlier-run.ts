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
 *
 * @param read what is known already: only lines behind it are read
 */
export function readEarlier(dir: string, read: EarlierRun = noPast): EarlierRun {
  const known = Map.groupBy(read.recorded, ({ owner }) => owner)
  const fresh = readRun(dir).journals.map((owner) => {
    const cursor = journalCursor(journalFile(dir, owner), read.positions.get(owner))
    const recorded = [...(known.get(owner) ?? [])]
    cursor.each((entry) => {
      if (entry.type !== 'journal.opened') recorded.push({ owner, entry: withoutOutput(entry) })
    })
    return { owner, recorded, position: cursor.position() }
  })
  return {
    recorded: mergeJournals(fresh.map(({ recorded }) => recorded)),
    positions: new Map(fresh.map(({ owner, position }) => [owner, position])),
  }
}

function withoutOutput(entry: Entry): Entry {
  if (entry.type !== 'message.appended' || entry.message.role !== 'tool') return entry
  const results = entry.message.results.map((result) =>
    result.tool === 'Delegate' ? result : { ...result, content: [] },
  )
  return { ...entry, message: { ...entry.message, results } }
}
