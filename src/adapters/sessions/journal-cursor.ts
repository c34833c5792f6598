import { existsSync } from 'node:fs'
import type { Entry } from '../../protocol/facts/entry.ts'
import { judgeLine } from './entry-line.ts'
import { eachLine, readLines, segmentsOf } from './segments.ts'

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
  /**
   * Reads the same, and keeps none of it: some MiB of a long journal are in memory at a time.
   * @returns the lines that are no entry
   */
  each(hear: (entry: Entry) => void): readonly string[]
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
  const each: JournalCursor['each'] = (hear) => {
    const problems: string[] = []
    for (const segment of segmentsOf(file, at.segment)) {
      if (segment.number !== at.segment) at = { segment: segment.number, bytes: 0 }
      if (!existsSync(segment.file)) break
      readLines(segment, at.bytes, (lines) => {
        eachLine(lines, (line) => {
          const { entry, message } = judgeLine(line)
          if (entry) hear(entry)
          else problems.push(`${segment.file} ${message ?? 'holds a line that is no entry'}`)
        })
        at = { ...at, bytes: at.bytes + lines.length }
      })
    }
    return problems
  }
  return {
    each,
    read() {
      const entries: Entry[] = []
      const problems = each((entry) => void entries.push(entry))
      return { entries, problems }
    },
    position: () => at,
  }
}
