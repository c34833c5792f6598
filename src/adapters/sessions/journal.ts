import { readFileSync } from 'node:fs'
import type { Entry } from '../../protocol/facts/entry.ts'
import { openAppendFile } from './append-file.ts'
import { entryFrame, type Recordable } from './entry-frame.ts'
import { readJournal, scanJournal, type JournalReading } from './read-journal.ts'

/**
 * Owns the writing end of one journal. Never decides what is recorded, and never rewrites a line.
 * 1. `append` returns after the write: what it returns survives the death of the process.
 * 2. One batch is one write, one line is serialised once, entries share the objects of their facts.
 * 3. A batch that could not be written whole leaves nothing behind, and its numbers are used again.
 * 4. There is one writer: the process that owns the member.
 */
export interface Journal {
  readonly owner: string
  /** Frames and writes the facts. Throws what the disk says (full, read-only); nothing was recorded then. */
  append(facts: readonly Recordable[]): readonly Entry[]
  /** Returns when everything appended is on the disk: it survives a power cut too. */
  sync(): void
  /** Reads all entries so far. */
  read(): JournalReading
  close(): void
}

/** A journal ready for its next line, and what it already said. */
export interface OpenedJournal extends JournalReading {
  readonly journal: Journal
}

/**
 * Opens a journal file, or makes it. An existing one is continued: its numbers go on, and a torn last line is cut
 * to `<file>.torn-<n>` and reported.
 * @param now the clock, in milliseconds
 * @returns the journal, the entries it held and the problems found in it
 * @example
 * const { journal, problems } = openJournal('journal/lead.jsonl', 'lead', clock.now)
 * journal.append([{ type: 'agent.started' }])
 */
export function openJournal(file: string, owner: string, now: () => number): OpenedJournal {
  const lines = openAppendFile(file)
  const { entries, problems, torn, whole, lastSeq, lastId } = scanJournal(
    lines.fresh ? Buffer.alloc(0) : readFileSync(file),
  )
  const aside = torn.length > 0 ? lines.cut(whole, torn) : null
  const frame = entryFrame(owner, now, { seq: lastSeq, id: lastId })
  const write = (framed: readonly Entry[]) => lines.append(framed.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  return {
    entries,
    problems: problems.map((problem) =>
      problem.code === 'torn' ? { ...problem, message: `${problem.message}; moved to ${aside}` } : problem,
    ),
    journal: {
      owner,
      append: (facts) => frame(facts, write),
      sync: () => lines.sync(),
      read: () => readJournal(file),
      close: () => lines.close(),
    },
  }
}

/**
 * A journal that lives as long as its process, for an agent without a run directory.
 * @example memoryJournal('agent', clock.now).append([{ type: 'agent.started' }])
 */
export function memoryJournal(owner: string, now: () => number): Journal {
  const kept: Entry[] = []
  const frame = entryFrame(owner, now, { seq: 0, id: null })
  let open = true
  return {
    owner,
    append(facts) {
      if (!open) throw new Error(`the journal of ${owner} is closed`)
      return frame(facts, (entries) => {
        for (const entry of entries) kept.push(entry)
      })
    },
    sync: () => undefined,
    read: () => ({ entries: [...kept], problems: [] }),
    close() {
      open = false
    },
  }
}
