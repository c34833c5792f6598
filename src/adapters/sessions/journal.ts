import { currentSpec, journalVersion, type Entry, type JournalHeader } from '../../protocol/facts/entry.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import { errorCode } from '../fs/error-code.ts'
import { makeAppendFile, openAppendFile, takeOverFile } from './append-file.ts'
import { readJournal, scanJournal, type JournalReading, type JournalScan } from './read-journal.ts'
import { segmentFile } from './segments.ts'

/**
 * Owns the writing end of one journal. Never decides what is recorded, and never rewrites a line.
 * 1. `append` returns after the write: what it returns survives the death of the process.
 * 2. One batch is one write, one line is serialised once, entries share the objects of their facts.
 * 3. A batch that could not be written whole leaves nothing behind, and its numbers are used again.
 * 4. Each life writes a file of its own, which begins as a copy of what the life before had written: what an earlier
 *    life writes later changes nothing.
 * 5. A segment is bounded, and the first line of the next one says how many of its bytes count.
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

/** A journal to open. */
export interface JournalOptions {
  readonly owner: string
  /** The clock, in milliseconds. */
  readonly now: () => number
  /** Names the run and its team; without it only later segments have a header. */
  readonly header?: Pick<JournalHeader, 'run' | 'team' | 'leader'>
  /** Bytes of a segment after which the next one begins (64 MiB). */
  readonly segmentBytes?: number
}

const defaultSegmentBytes = 64 << 20

/**
 * Opens a journal file, or makes it. An existing one is continued: its numbers go on, and a torn last line is cut
 * to `<file>.torn-<n>` and reported.
 * @param file the path of the first segment
 * @returns the journal, the entries it held and the problems found in it
 * @throws what the disk says
 * @example
 * const { journal, problems } = openJournal('journal/lead.jsonl', { owner: 'lead', now: clock.now })
 * journal.append([{ type: 'agent.started' }])
 */
export function openJournal(file: string, options: JournalOptions): OpenedJournal {
  const { owner, now, header, segmentBytes = defaultSegmentBytes } = options
  const { entries, problems, lastSeq, lastId, torn, ...end } = scanned(file)
  const frame = entryFrame(owner, now, { seq: lastSeq, id: lastId })
  const opening = { type: 'journal.opened', spec: currentSpec, owner, ...header } as const
  let number = Math.max(1, end.segment)
  const path = segmentFile(file, number)
  const opened = end.segment === 0 ? { lines: openAppendFile(path), aside: null } : takeOverFile(path, end.whole, torn)
  let { lines } = opened
  const write = (framed: readonly Entry[]): void => lines.append(textOf(framed))
  const beginSegment = (framed: readonly Entry[]): void => {
    const next = makeAppendFile(segmentFile(file, number + 1), textOf(framed))
    lines.close()
    lines = next
    number += 1
  }
  return {
    entries: entries.length === 0 && header ? frame([opening], write) : entries,
    problems: problems.map((problem) =>
      problem.code === 'torn' ? { ...problem, message: `${problem.message}; moved to ${opened.aside}` } : problem,
    ),
    journal: {
      owner,
      append(facts) {
        if (facts.length === 0 || lines.size() < segmentBytes) return frame(facts, write)
        return frame([{ ...opening, after: lines.size() }, ...facts], beginSegment).slice(1)
      },
      sync: () => lines.sync(),
      read: () => readJournal(file),
      close: () => lines.close(),
    },
  }
}

function textOf(entries: readonly Entry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
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

function scanned(file: string): JournalScan {
  try {
    return scanJournal(file)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return { entries: [], problems: [], segment: 0, whole: 0, torn: Buffer.alloc(0), lastSeq: 0, lastId: null }
  }
}

/** Lines that a journal takes: facts, and once the header. */
type Recordable = Fact | JournalHeader

/** The last entry of a journal: what the next one follows. */
interface Position {
  readonly seq: number
  readonly id: string | null
}

/**
 * Numbers, links and times the entries of one journal. The batch is handed to `write` before the numbers advance:
 * when `write` throws, the next batch takes the same ones.
 */
function entryFrame(owner: string, now: () => number, start: Position) {
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
