import type { Entry } from '../../protocol/facts/entry.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { judgeLine, type JournalProblem } from './entry-line.ts'
import { linesOf, segmentsOf, type Segment } from './segments.ts'

/** Entries of a journal, and the parts that could not be read. */
export interface JournalReading {
  readonly entries: readonly Entry[]
  readonly problems: readonly JournalProblem[]
}

/** A reading with what a writer needs to go on. */
export interface JournalScan extends JournalReading {
  /** The last segment, and its bytes up to and including the last newline. */
  readonly segment: number
  readonly whole: number
  /** The bytes behind that newline. */
  readonly torn: Buffer
  readonly lastSeq: number
  readonly lastId: string | null
}

const newline = 0x0a

/**
 * Reads a journal without touching it. A line counts once its newline is there: what a killed writer left behind
 * the last newline is reported as torn. A bad line is reported and left out; the others stand.
 * @param file the path of the journal's first segment
 * @returns entries in the order in which they were written and every problem with its place; never throws, a missing
 * file is a problem too
 * @example const { entries, problems } = readJournal(run.journalFile('lead'))
 */
export function readJournal(file: string): JournalReading {
  try {
    const { entries, problems } = scanJournal(file)
    return { entries, problems }
  } catch (error) {
    const message = `cannot be read: ${errorText(error)}`
    return { entries: [], problems: [{ file, line: 0, code: 'unreadable', message }] }
  }
}

/**
 * Reads a journal for a writer that goes on with it; see {@link readJournal}.
 * @throws what the disk says
 */
export function scanJournal(file: string): JournalScan {
  const scan = { entries: [] as Entry[], problems: [] as JournalProblem[], lastSeq: 0, lastId: null as string | null }
  const place = { segment: 1, whole: 0, torn: Buffer.alloc(0) }
  for (const segment of segmentsOf(file)) {
    Object.assign(place, { segment: segment.number, ...scanSegment(segment, scan) })
  }
  return { ...scan, ...place }
}

interface Scanned {
  readonly entries: Entry[]
  readonly problems: JournalProblem[]
  lastSeq: number
  lastId: string | null
}

/** Splits and judges the lines of one segment. */
function scanSegment(segment: Segment, scan: Scanned): Pick<JournalScan, 'whole' | 'torn'> {
  const { file } = segment
  const { lines: bytes, torn } = linesOf(segment)
  const report = (at: number, code: JournalProblem['code'], message: string) =>
    scan.problems.push({ file, line: at, code, message })
  let [start, line, afterBadLine] = [0, 0, false]
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    line += 1
    const { entry, seq, code, message } = judgeLine(bytes.subarray(start, end))
    start = end + 1
    if (code !== undefined) report(line, code, message ?? code)
    if (seq !== undefined && !follows(seq, scan.lastSeq, afterBadLine))
      report(line, 'out_of_order', `has number ${seq} after ${scan.lastSeq}`)
    afterBadLine = seq === undefined
    if (seq !== undefined && seq > scan.lastSeq) scan.lastSeq = seq
    if (entry) {
      scan.entries.push(entry)
      scan.lastId = entry.id
    }
  }
  if (torn.length > 0) report(line + 1, 'torn', `was cut off after ${torn.length} bytes`)
  return { whole: start, torn }
}

/** After an unreadable line its number is missing, which was already reported. */
function follows(seq: number, previous: number, afterBadLine: boolean): boolean {
  return seq === previous + 1 || (afterBadLine && seq > previous)
}
