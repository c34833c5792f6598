import type { Entry } from '../../protocol/facts/entry.ts'
import { errorCode } from '../fs/error-code.ts'
import { judgeLine } from './entry-line.ts'
import { linesOf, segmentsOf, type Segment } from './segments.ts'

const newline = 0x0a

/** A place in a journal: the end of a line of one segment. */
export interface JournalPosition {
  readonly segment: number
  readonly bytes: number
}

/** Reads a journal that somebody else writes, each line once. */
export interface JournalCursor {
  /**
   * Reads lines that were finished since the last look. A line that is still being written is left for the next look.
   */
  read(): { readonly entries: readonly Entry[]; readonly problems: readonly string[] }
  /** The end of what was read so far. */
  position(): JournalPosition
}

/**
 * Opens a cursor on a journal, which need not exist yet. The cursor stands on line ends only, and passes over what a
 * life wrote after its successor had begun.
 * @param file the path of the first segment
 * @param position where to begin
 */
export function journalCursor(file: string, position: JournalPosition = { segment: 1, bytes: 0 }): JournalCursor {
  let at = position
  return {
    read() {
      const [entries, problems]: [Entry[], string[]] = [[], []]
      for (const segment of segmentsOf(file, at.segment)) {
        const start = segment.number === at.segment ? at.bytes : 0
        const bytes = linesIn(segment, start)
        for (let from = 0, end = 0; from < bytes.length; from = end + 1) {
          end = bytes.indexOf(newline, from)
          const { entry, message } = judgeLine(bytes.subarray(from, end))
          if (entry) entries.push(entry)
          else problems.push(`${segment.file} ${message ?? 'holds a line that is no entry'}`)
        }
        at = { segment: segment.number, bytes: start + bytes.length }
      }
      return { entries, problems }
    },
    position: () => at,
  }
}

/** A journal that does not exist yet has no lines. */
function linesIn(segment: Segment, position: number): Buffer {
  try {
    return linesOf(segment, position).lines
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}
