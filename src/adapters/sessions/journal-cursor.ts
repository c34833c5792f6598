import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Entry } from '../../protocol/facts/entry.ts'
import { errorCode } from '../fs/error-code.ts'
import { judgeLine } from './entry-line.ts'

const newline = 0x0a

/** Reads a journal that somebody else writes, each line once. */
export interface JournalCursor {
  /**
   * Reads lines that were finished since the last look. A line that is still being written is left for the next look.
   */
  read(): { readonly entries: readonly Entry[]; readonly problems: readonly string[] }
  /** Bytes read so far: the end of a line. */
  position(): number
}

/**
 * Opens a cursor on a journal, which need not exist yet. It stands on line ends only: what a killed writer left behind
 * the last one is cut off by its successor, and was never read.
 * @param position bytes to pass over: the end of a line
 */
export function journalCursor(file: string, position = 0): JournalCursor {
  let at = position
  return {
    read() {
      const bytes = readFrom(file, at)
      const whole = bytes.lastIndexOf(newline) + 1
      const [entries, problems]: [Entry[], string[]] = [[], []]
      for (let start = 0, end = 0; start < whole; start = end + 1) {
        end = bytes.indexOf(newline, start)
        const { entry, message } = judgeLine(bytes.subarray(start, end))
        if (entry) entries.push(entry)
        else problems.push(`${file} ${message ?? 'holds a line that is no entry'}`)
      }
      at += whole
      return { entries, problems }
    },
    position: () => at,
  }
}

function readFrom(file: string, position: number): Buffer {
  const fd = opened(file)
  if (fd === null) return Buffer.alloc(0)
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(fd).size - position))
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, position))
  } finally {
    closeSync(fd)
  }
}

function opened(file: string): number | null {
  try {
    return openSync(file, 'r')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
