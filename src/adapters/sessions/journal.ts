import {
  readFileSync,
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { journalVersion, type Entry, type JournalHeader } from '../../protocol/facts/entry.ts'
import { readJournal, scanJournal, type JournalReading } from './read-journal.ts'
import { dirname } from 'node:path'
import { errorCode } from '../fs/error-code.ts'
import { syncFolder } from '../fs/sync-folder.ts'
import type { Fact } from '../../protocol/facts/fact.ts'

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

/** A file that only grows. A batch that could not be written whole is taken back, then the error is thrown. */
interface AppendFile {
  /** True for a file that was empty when it was opened. */
  readonly fresh: boolean
  append(text: string): void
  /** Puts everything appended on the disk; the first time the names of the file and its folders too. */
  sync(): void
  /** Moves everything from `position` on to the first free `<file>.torn-<n>` and returns that name. */
  cut(position: number, tail: Buffer): string
  close(): void
}

/** Opens a file for appending; makes it (0600) and its folder (0700) where they are missing. */
function openAppendFile(file: string): AppendFile {
  const fd = openOrMake(file)
  let size = fstatSync(fd).size
  let open = true
  let named = false
  return {
    fresh: size === 0,
    append(text) {
      // A closed descriptor's number may belong to another file by now.
      if (!open) throw new Error(`${file} is closed`)
      size += writeWhole(fd, size, text)
    },
    sync() {
      fdatasyncSync(fd)
      if (!named) syncNames(file)
      named = true
    },
    cut(position, tail) {
      const aside = setAside(file, tail)
      ftruncateSync(fd, position)
      size = position
      return aside
    },
    close() {
      if (open) closeSync(fd)
      open = false
    },
  }
}

function openOrMake(file: string): number {
  try {
    return openSync(file, 'a', 0o600)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    return openSync(file, 'a', 0o600)
  }
}

function writeWhole(fd: number, size: number, text: string): number {
  const length = Buffer.byteLength(text)
  let written = 0
  try {
    written = writeSync(fd, text)
    if (written === length) return length
    const bytes = Buffer.from(text)
    while (written < length) written += writeSync(fd, bytes, written)
    return length
  } catch (error) {
    if (written > 0) ftruncateSync(fd, size)
    throw error
  }
}

/** A file that a power cut must not unname: its own folder and the two that were made for it. */
function syncNames(file: string): void {
  for (const folder of [dirname(file), dirname(dirname(file)), dirname(dirname(dirname(file)))]) syncFolder(folder)
}

function setAside(file: string, tail: Buffer): string {
  for (let n = 1; ; n += 1) {
    const aside = `${file}.torn-${n}`
    try {
      writeFileSync(aside, tail, { flag: 'wx', mode: 0o600 })
      return aside
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
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
