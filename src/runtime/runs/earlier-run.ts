import { journalCursor, type JournalPosition } from '../../adapters/sessions/journal-cursor.ts'
import { readRun } from '../../adapters/sessions/read-run.ts'
import { mergeJournals } from '../../projections/fold/merge.ts'
import type { Message } from '../../protocol/conversation/message.ts'
import type { Entry, Recorded } from '../../protocol/facts/entry.ts'
import { journalFile } from './read-runs.ts'

/** The content of a run's journals before a new leader takes over, as far as a leader goes by it. */
export interface EarlierRun {
  readonly recorded: readonly Recorded[]
  /** How far each journal was read, by owner. */
  readonly positions: ReadonlyMap<string, JournalPosition>
}

/** The past of a run that has none. */
export const noPast: EarlierRun = { recorded: [], positions: new Map() }

/**
 * Reads what was recorded, up to the last whole line of each journal. Of the words in it only those remain that a leader goes
 * by: the coordinator's conversation without results of tools, and results between members. All the rest is most of a journal.
 * @param lead the coordinator's member name
 */
export function readEarlier(dir: string, lead: string): EarlierRun {
  const read = readRun(dir).journals.map((owner) => ({
    owner,
    ...readPast(journalFile(dir, owner), owner, owner === lead),
  }))
  return {
    recorded: mergeJournals(read.map(({ recorded }) => recorded)),
    positions: new Map(read.map(({ owner, position }) => [owner, position])),
  }
}

/** The part of one journal. */
export function readPast(
  file: string,
  owner: string,
  ofLead = false,
): { readonly recorded: readonly Recorded[]; readonly position: JournalPosition } {
  const cursor = journalCursor(file)
  const recorded: Recorded[] = []
  cursor.each((entry) => {
    if (entry.type !== 'journal.opened') recorded.push({ owner, entry: withoutWords(entry, ofLead) })
  })
  return { recorded, position: cursor.position() }
}

function withoutWords(entry: Entry, ofLead: boolean): Entry {
  if (entry.type === 'message.appended') return { ...entry, message: shortened(entry.message, ofLead) }
  const isBody = (entry.type === 'mail.sent' || entry.type === 'mail.received') && entry.envelope.kind !== 'result'
  return isBody ? { ...entry, envelope: { ...entry.envelope, body: '' } } : entry
}

function shortened(message: Message, ofLead: boolean): Message {
  if (message.role === 'tool') return { ...message, results: [] }
  return ofLead ? message : { ...message, content: [] }
}
