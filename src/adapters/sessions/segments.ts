import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { errorCode } from '../fs/error-code.ts'
import { namesIn } from '../fs/names-in.ts'
import { judgeLine } from './entry-line.ts'

/** A part of a journal: a journal that grows long goes on in another file. */
export interface Segment {
  readonly file: string
  /** 1 for the first. */
  readonly number: number
  /** Bytes that count, as the next segment says; null for the last segment, where every whole line counts. */
  readonly end: number | null
}

/** The place of a segment in its journal, as its first line says. */
export interface SegmentHead {
  /** Bytes of the segment before that count. */
  readonly after: number | null
  /** Id of the entry before. */
  readonly parent: string | null
}

const newline = 0x0a
/** More than the longest header: names have a bound. */
const headerBytes = 4096
const stepBytes = 4 << 20
const name = /^([^.]+)(?:\.[1-9]\d*)?\.jsonl$/

/** The path of one segment: `lead.jsonl` is the first, `lead.2.jsonl` the second. */
export function segmentFile(file: string, number: number): string {
  return number === 1 ? file : file.replace(/\.jsonl$/, `.${number}.jsonl`)
}

/** The owner of a file in a folder of journals, whichever segment; null for a file that is no journal. */
export function ownerOfJournal(file: string): string | null {
  return name.exec(file)?.[1] ?? null
}

/** The owners of the journals in a folder, by name. */
export function journalOwners(folder: string): readonly string[] {
  return [...new Set(namesIn(folder).flatMap((file) => ownerOfJournal(file) ?? []))].toSorted()
}

/**
 * The segments of a journal, in the order in which they were written. Segment n + 1 says in its first line how many bytes
 * of segment n count.
 *
 * @param file the path of the first segment, which need not exist
 * @param from the number of the segment to begin with
 * @example segmentsOf('journal/lead.jsonl').map(({ file, end }) => [file, end]) // [['journal/lead.jsonl', 812], ['journal/lead.2.jsonl', null]]
 */
export function segmentsOf(file: string, from = 1): readonly Segment[] {
  const segments: Segment[] = []
  for (let number = from; ; number += 1) {
    const next = headOf(file, number + 1)
    segments.push({ file: segmentFile(file, number), number, end: next?.after ?? null })
    if (next === null) return segments
  }
}

/** Null without a whole first line. */
export function headOf(file: string, number: number): SegmentHead | null {
  const head = firstBytes(segmentFile(file, number))
  const end = head.indexOf(newline)
  if (end === -1) return null
  const { entry } = judgeLine(head.subarray(0, end))
  if (entry?.type !== 'journal.opened') return { after: null, parent: null }
  return { after: entry.after ?? null, parent: entry.parent }
}

function firstBytes(file: string): Buffer {
  try {
    return whileOpen(file, (fd) => bytesAt(fd, 0, headerBytes))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

/**
 * Hands on the whole lines of a segment from a position on, which is the end of a line: some MiB at a time, each part
 * ends with a line.
 *
 * @returns the part of a line behind them that is being written, or was cut off
 * @throws what the disk says
 */
export function readLines({ file, end }: Segment, position: number, hear: (lines: Buffer) => void): Buffer {
  return whileOpen(file, (fd) => {
    // No more than the file says of itself, because a device has no end.
    const limit = Math.min(end ?? Infinity, fstatSync(fd).size)
    let rest: Buffer = Buffer.alloc(0)
    for (let at = position; at < limit;) {
      const more = bytesAt(fd, at, Math.min(limit - at, Math.max(stepBytes, rest.length)))
      if (more.length === 0) break
      at += more.length
      const bytes = rest.length === 0 ? more : Buffer.concat([rest, more])
      const whole = bytes.lastIndexOf(newline) + 1
      rest = bytes.subarray(whole)
      if (whole > 0) hear(bytes.subarray(0, whole))
    }
    return rest
  })
}

/** Hands on each line of a part of a segment, without its newline. */
export function eachLine(lines: Buffer, hear: (line: Buffer) => void): void {
  for (let [start, end] = [0, lines.indexOf(newline)]; end !== -1; end = lines.indexOf(newline, start)) {
    hear(lines.subarray(start, end))
    start = end + 1
  }
}

function whileOpen<Result>(file: string, act: (fd: number) => Result): Result {
  const fd = openSync(file, 'r')
  try {
    return act(fd)
  } finally {
    closeSync(fd)
  }
}

function bytesAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position))
}
