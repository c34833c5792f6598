import type { Entry } from '../../protocol/facts/entry.ts'
import { judgeLine } from './entry-line.ts'
import { eachLine, readLines, segmentsOf, type Segment } from './segments.ts'

/**
 * Looks for something in a journal, the latest segments first. Only lines that contain the text are read as entries: a
 * journal is long, and it is asked in the middle of other work.
 *
 * @param file the path of the first segment; one that cannot be read has nothing
 * @param text what the line contains
 * @param pick what is wanted of an entry; undefined when that entry is not meant
 * @returns what the latest entry gives
 * @example findEntry(file, '"ci-4711"', (entry) => (entry.type === 'mail.sent' ? entry.envelope : undefined))
 */
export function findEntry<Found>(
  file: string,
  text: string,
  pick: (entry: Entry) => Found | undefined,
): Found | undefined {
  for (const segment of segmentsOf(file).toReversed()) {
    const found = findIn(segment, text, pick)
    if (found !== undefined) return found
  }
  return undefined
}

function findIn<Found>(segment: Segment, text: string, pick: (entry: Entry) => Found | undefined): Found | undefined {
  let found: Found | undefined
  const hear = (line: Buffer): void => {
    const { entry } = line.includes(text) ? judgeLine(line) : {}
    if (entry) found = pick(entry) ?? found
  }
  try {
    readLines(segment, 0, (lines) => (lines.includes(text) ? eachLine(lines, hear) : undefined))
  } catch {
    return undefined
  }
  return found
}
