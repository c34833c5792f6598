import type { Entry } from '../../protocol/facts/entry.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { judgeLine, type JournalProblem } from './entry-line.ts'
import { eachLine, readLines, segmentsOf, type Segment } from './segments.ts'

/** Entries of a journal, and the parts that could not be read. */
export interface JournalReading {
  readonly entries: readonly Entry[]
  readonly problems: readonly JournalProblem[]
}

/** A place between two segments: the segment that comes next, and the last entry before it. */
export interface Seam {
  readonly segment: number
  readonly seq: number
  readonly id: string | null
}

/** The beginning of every journal. */
export const noSeam: Seam = { segment: 1, seq: 0, id: null }

/** The end of a journal: what a writer needs to go on. */
export interface JournalEnd {
  /** The last segment, and its bytes up to and including the last newline. */
  readonly segment: number
  readonly whole: number
  /** The bytes behind that newline. */
  readonly torn: Buffer
  readonly lastSeq: number
  readonly lastId: string | null
  readonly problems: readonly JournalProblem[]
}

/** Hears what a journal holds, one after the other. */
interface JournalHearer {
  entry(entry: Entry): void
  /** A segment is over, and `bytes` of it counted. */
  seam?(seam: Seam, bytes: number): void
}

/**
 * Reads a journal without touching it. A line counts once its newline is there: what a killed writer left behind
 * the last newline is reported as torn. A bad line is reported and left out; the others stand.
 * @param file the path of the journal's first segment
 * @returns entries in the order in which they were written and every problem with its place; never throws, a missing
 * file is a problem too
 * @example const { entries, problems } = readJournal(run.journalFile('lead'))
 */
export function readJournal(file: string): JournalReading {
  const entries: Entry[] = []
  try {
    const { problems } = scanJournal(file, { entry: (entry) => void entries.push(entry) })
    return { entries, problems }
  } catch (error) {
    const message = `cannot be read: ${errorText(error)}`
    return { entries: [], problems: [{ file, line: 0, code: 'unreadable', message }] }
  }
}

/**
 * Reads a journal, some MiB at a time, from a seam on; see {@link readJournal}.
 * @throws what the disk says
 */
export function scanJournal(file: string, hearer: JournalHearer, from: Seam = noSeam): JournalEnd {
  const scan: Scan = { problems: [], lastSeq: from.seq, lastId: from.id }
  const place = { segment: from.segment, whole: 0, torn: Buffer.alloc(0) as Buffer }
  for (const segment of segmentsOf(file, from.segment)) {
    if (segment.number > from.segment) {
      hearer.seam?.({ segment: segment.number, seq: scan.lastSeq, id: scan.lastId }, place.whole)
    }
    Object.assign(place, { segment: segment.number, ...scanSegment(segment, scan, hearer) })
  }
  return { ...scan, ...place }
}

interface Scan {
  readonly problems: JournalProblem[]
  lastSeq: number
  lastId: string | null
}

/** Splits and judges the lines of one segment. */
function scanSegment(segment: Segment, scan: Scan, hearer: JournalHearer): Pick<JournalEnd, 'whole' | 'torn'> {
  const { file } = segment
  const report = (at: number, code: JournalProblem['code'], message: string) =>
    scan.problems.push({ file, line: at, code, message })
  let [whole, line, afterBadLine] = [0, 0, false]
  const hear = (bytes: Buffer): void => {
    line += 1
    whole += bytes.length + 1
    const { entry, seq, code, message } = judgeLine(bytes)
    if (code !== undefined) report(line, code, message ?? code)
    if (seq !== undefined && !follows(seq, scan.lastSeq, afterBadLine))
      report(line, 'out_of_order', `has number ${seq} after ${scan.lastSeq}`)
    afterBadLine = seq === undefined
    if (seq !== undefined && seq > scan.lastSeq) scan.lastSeq = seq
    if (!entry) return
    scan.lastId = entry.id
    hearer.entry(entry)
  }
  const torn = readLines(segment, 0, (lines) => eachLine(lines, hear))
  if (torn.length > 0) report(line + 1, 'torn', `was cut off after ${torn.length} bytes`)
  return { whole, torn }
}

/** After an unreadable line its number is missing, which was already reported. */
function follows(seq: number, previous: number, afterBadLine: boolean): boolean {
  return seq === previous + 1 || (afterBadLine && seq > previous)
}
