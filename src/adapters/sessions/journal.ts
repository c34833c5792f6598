import { currentSpec, type Entry, type JournalHeader } from '../../protocol/facts/entry.ts'
import { errorCode } from '../fs/error-code.ts'
import { makeAppendFile, type AppendFile } from './append-file.ts'
import { entryFrame, type Recordable } from './entry-frame.ts'
import { readJournal, scanJournal, type JournalReading, type JournalScan } from './read-journal.ts'
import { segmentFile } from './segments.ts'

/**
 * Owns the writing end of one journal. Never decides what is recorded, and never rewrites a line.
 * 1. `append` returns after the write: what it returns survives the death of the process.
 * 2. One batch is one write, one line is serialised once, entries share the objects of their facts.
 * 3. A batch that could not be written whole leaves nothing behind, and its numbers are used again.
 * 4. Each life writes segments of its own, and the first line of a segment says up to which byte the one before counts:
 *    what an earlier life writes later changes nothing.
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
  /** Names the run and its team; without it the first segment has no header. */
  readonly header?: Pick<JournalHeader, 'run' | 'team' | 'leader'>
  /** Bytes of a segment after which the next one begins (64 MiB). */
  readonly segmentBytes?: number
}

const defaultSegmentBytes = 64 << 20

/**
 * Opens a journal for writing. A new one begins with its first append; one that exists is continued in a new segment, with
 * its numbers.
 * @param file the path of the first segment
 * @returns the journal, the entries it held and the problems found in it
 * @throws what the disk says
 * @example
 * const { journal, problems } = openJournal('journal/lead.jsonl', { owner: 'lead', now: clock.now })
 * journal.append([{ type: 'agent.started' }])
 */
export function openJournal(file: string, options: JournalOptions): OpenedJournal {
  const { owner, now, header, segmentBytes = defaultSegmentBytes } = options
  const { entries, problems, lastSeq, lastId, ...end } = scanned(file)
  const frame = entryFrame(owner, now, { seq: lastSeq, id: lastId })
  let { segment, whole } = end
  let lines: AppendFile | null = null
  let open = true
  const beginSegment = (framed: readonly Entry[]): void => {
    const began = makeAppendFile(segmentFile(file, segment + 1), linesFor(framed))
    lines?.close()
    lines = began
    segment += 1
  }
  return {
    entries,
    problems,
    journal: {
      owner,
      append(facts) {
        // A closed descriptor's number may belong to another file by now.
        if (!open) throw new Error(`${file} is closed`)
        if (facts.length === 0) return []
        const current = lines
        if (current && current.size() < segmentBytes) return frame(facts, (framed) => current.append(linesFor(framed)))
        if (current) whole = current.size()
        if (segment === 0 && !header) return frame(facts, beginSegment)
        const after = segment === 0 ? {} : { after: whole }
        const first = { type: 'journal.opened', spec: currentSpec, owner, ...header, ...after } as const
        return frame([first, ...facts], beginSegment).slice(1)
      },
      sync: () => lines?.sync(),
      read: () => readJournal(file),
      close() {
        if (open) lines?.close()
        open = false
      },
    },
  }
}

function linesFor(entries: readonly Entry[]): string {
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
    return { entries: [], problems: [], segment: 0, whole: 0, lastSeq: 0, lastId: null }
  }
}
