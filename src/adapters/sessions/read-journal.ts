import { readFileSync } from 'node:fs'
import type { Entry } from '../../protocol/facts/entry.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { judgeLine, type JournalProblem } from './entry-line.ts'

/** Entries of a journal, and the parts that could not be read. */
export interface JournalReading {
  readonly entries: readonly Entry[]
  readonly problems: readonly JournalProblem[]
}

/** A reading with the positions that a writer needs to go on. */
export interface JournalScan extends JournalReading {
  /** Bytes up to and including the last newline; what follows is a torn line. */
  readonly whole: number
  readonly torn: Buffer
  readonly lastSeq: number
  readonly lastId: string | null
}

const newline = 0x0a

/**
 * Reads a journal without touching it. A line counts once its newline is there: what a killed writer left behind
 * the last newline is reported as torn. A bad line is reported and left out; the others stand.
 * @param file the journal's path
 * @returns entries in file order and every problem with its line; never throws, a missing file is a problem too
 * @example const { entries, problems } = readJournal(run.journalFile('lead'))
 */
export function readJournal(file: string): JournalReading {
  try {
    const { entries, problems } = scanJournal(readFileSync(file))
    return { entries, problems }
  } catch (error) {
    const message = `cannot be read: ${errorText(error)}`
    return { entries: [], problems: [{ line: 0, code: 'unreadable', message }] }
  }
}

/** Splits and judges the bytes of a journal; see {@link readJournal}. */
export function scanJournal(bytes: Buffer): JournalScan {
  const entries: Entry[] = []
  const problems: JournalProblem[] = []
  const last = { seq: 0, id: null as string | null }
  let [start, line, afterBadLine] = [0, 0, false]
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    line += 1
    const { entry, seq, code, message } = judgeLine(bytes.subarray(start, end))
    start = end + 1
    if (code !== undefined) problems.push({ line, code, message: message ?? code })
    if (seq !== undefined && !follows(seq, last.seq, afterBadLine)) problems.push(outOfOrder(line, seq, last.seq))
    afterBadLine = seq === undefined
    if (seq !== undefined && seq > last.seq) last.seq = seq
    if (entry) {
      entries.push(entry)
      last.id = entry.id
    }
  }
  const torn = bytes.subarray(start)
  if (torn.length > 0)
    problems.push({ line: line + 1, code: 'torn', message: `was cut off after ${torn.length} bytes` })
  return { entries, problems, whole: start, torn, lastSeq: last.seq, lastId: last.id }
}

/** After an unreadable line its number is missing, which was already reported. */
function follows(seq: number, previous: number, afterBadLine: boolean): boolean {
  return seq === previous + 1 || (afterBadLine && seq > previous)
}

function outOfOrder(line: number, seq: number, previous: number): JournalProblem {
  return { line, code: 'out_of_order', message: `has number ${seq} after ${previous}` }
}
