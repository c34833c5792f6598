import { existsSync } from 'node:fs'
import {
  currentSpec,
  journalVersion,
  type Entry,
  type EntryFold,
  type Frame,
  type JournalHeader,
} from '../../protocol/facts/entry.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import { makeAppendFile, openAppendFile, takeOverFile } from './append-file.ts'
import { dropCheckpoint, loadCheckpoint, saveCheckpoint } from './checkpoint.ts'
import type { JournalProblem } from './entry-line.ts'
import { noSeam, scanJournal, type JournalEnd } from './read-journal.ts'
import { segmentFile, segmentsOf } from './segments.ts'

/**
 * Owns the writing end of one journal. Never decides what is recorded, and never rewrites a line.
 * 1. `append` returns after the write: what it returns survives the death of the process.
 * 2. One batch is one write, one line is serialised once, entries share the objects of their facts.
 * 3. A batch that could not be written whole leaves nothing behind, and its numbers are used again.
 * 4. Each life writes a file of its own, which begins as a copy of what the life before had written: what an earlier
 *    life writes later changes nothing.
 * 5. A segment is bounded, and the first line of the next one says how many of its bytes count.
 * 6. The fold hears every line once, after the write; its state is kept beside the journal where a segment begins.
 */
export interface Journal {
  readonly owner: string
  /** Frames, writes and folds the facts. Throws what the disk says (full, read-only); nothing was recorded then. */
  append(facts: readonly Recordable[]): readonly Entry[]
  /** Returns when everything appended is on the disk: it survives a power cut too. */
  sync(): void
  close(): void
}

/** A journal ready for its next line. */
export interface OpenedJournal<State> {
  readonly journal: Journal
  /** The fold over all lines; it goes on with each line that is written. */
  readonly state: State
  readonly problems: readonly JournalProblem[]
}

/** A journal to open. */
export interface JournalOptions<State> {
  readonly owner: string
  /** The clock, in milliseconds. */
  readonly now: () => number
  readonly fold: EntryFold<State>
  /** Names the run and its team; without it only later segments have a header. */
  readonly header?: Pick<JournalHeader, 'run' | 'team' | 'leader'>
  /** Bytes of a segment after which the next one begins (16 MiB). */
  readonly segmentBytes?: number
}

const defaultSegmentBytes = 16 << 20

/**
 * Opens a journal file, or makes it. An existing one is continued: its numbers go on, and a torn last line is cut
 * to `<file>.torn-<n>` and reported. Only the last segment is read, where the state of the fold was kept.
 * @param file the path of the first segment
 * @returns the journal, the state of its fold and the problems found in what was read
 * @throws what the disk says
 * @example
 * const { journal, state } = openJournal('journal/lead.jsonl', { owner: 'lead', now: clock.now, fold: mailFold })
 * journal.append([{ type: 'agent.started' }])
 */
export function openJournal<State>(file: string, options: JournalOptions<State>): OpenedJournal<State> {
  const { owner, now, header, fold, segmentBytes = defaultSegmentBytes } = options
  const { state, end } = foldedUp(file, fold)
  let last = { seq: end.lastSeq, id: end.lastId }
  const frame = entryFrame(owner, now, last)
  const opening = { type: 'journal.opened', spec: currentSpec, owner, ...header } as const
  let number = Math.max(1, end.segment)
  const { aside, ...opened } = openSegment(segmentFile(file, number), end)
  let { lines } = opened
  const write = (framed: readonly Entry[]): void => lines.append(textOf(framed))
  const beginSegment = (framed: readonly Entry[]): void => {
    saveCheckpoint(file, fold.version, { state, seam: { segment: number + 1, ...last }, after: lines.size() })
    const next = makeAppendFile(segmentFile(file, number + 1), textOf(framed))
    lines.close()
    lines = next
    dropCheckpoint(file, number)
    number += 1
  }
  const record = (facts: readonly Recordable[], how: typeof write): readonly Entry[] => {
    const entries = frame(facts, how)
    for (const entry of entries) fold.apply(state, entry)
    last = entries.at(-1) ?? last
    return entries
  }
  if (end.lastSeq === 0 && header) record([opening], write)
  return {
    state,
    problems: withPlace(end.problems, aside),
    journal: {
      owner,
      append(facts) {
        if (facts.length === 0 || lines.size() < segmentBytes) return record(facts, write)
        return record([{ ...opening, after: lines.size() }, ...facts], beginSegment).slice(1)
      },
      sync: () => lines.sync(),
      close: () => lines.close(),
    },
  }
}

/** The last segment, for a life of its own. */
function openSegment(path: string, { segment, whole, torn }: JournalEnd): ReturnType<typeof takeOverFile> {
  return segment === 0 ? { lines: openAppendFile(path), aside: null } : takeOverFile(path, whole, torn)
}

/** Says where the torn end of a line is now. */
function withPlace(problems: readonly JournalProblem[], aside: string | null): readonly JournalProblem[] {
  return problems.map((problem) =>
    problem.code === 'torn' ? { ...problem, message: `${problem.message}; moved to ${aside}` } : problem,
  )
}

function textOf(entries: readonly Entry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}

/**
 * A journal that lives as long as its process, for an agent without a run directory. Only the fold keeps anything of it.
 * @example memoryJournal({ owner: 'agent', now: clock.now, fold }).journal.append([{ type: 'agent.started' }])
 */
export function memoryJournal<State>({
  owner,
  now,
  fold,
}: Pick<JournalOptions<State>, 'owner' | 'now' | 'fold'>): OpenedJournal<State> {
  const state = fold.empty()
  const frame = entryFrame(owner, now, noSeam)
  let open = true
  const append: Journal['append'] = (facts) => {
    if (!open) throw new Error(`the journal of ${owner} is closed`)
    const entries = frame(facts, () => undefined)
    for (const entry of entries) fold.apply(state, entry)
    return entries
  }
  return {
    state,
    problems: [],
    journal: {
      owner,
      append,
      sync: () => undefined,
      close() {
        open = false
      },
    },
  }
}

/** Folds what a journal holds: from the last checkpoint that holds, or from the beginning; then one is kept for the next time. */
function foldedUp<State>(file: string, fold: EntryFold<State>): { readonly state: State; readonly end: JournalEnd } {
  if (!existsSync(file)) return { state: fold.empty(), end: { ...noJournal, torn: Buffer.alloc(0) } }
  const last = segmentsOf(file).length
  const { state, seam: from } = loadCheckpoint<State>(file, fold.version, last) ?? { state: fold.empty(), seam: noSeam }
  const end = scanJournal(
    file,
    {
      entry: (entry) => fold.apply(state, entry),
      seam(seam, after) {
        if (seam.segment === last) saveCheckpoint(file, fold.version, { state, seam, after })
      },
    },
    from,
  )
  return { state, end }
}

const noJournal = { segment: 0, whole: 0, lastSeq: 0, lastId: null, problems: [] }

/** Lines that a journal takes: facts, and once the header; the team's with what its leader has heard. */
type Recordable = (Fact | JournalHeader) & Pick<Frame, 'heard'>

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
