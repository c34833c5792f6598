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

const newline = 0x0a
/** More than the longest header: names have a bound. */
const headerBytes = 4096
const stepBytes = 1 << 30
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
    const next = headOf(segmentFile(file, number + 1))
    segments.push({ file: segmentFile(file, number), number, end: next?.after ?? null })
    if (next === null) return segments
  }
}

/** The words of the first line on the segment before; null without a whole line. */
function headOf(file: string): { readonly after: number | null } | null {
  const head = firstBytes(file)
  const end = head.indexOf(newline)
  if (end === -1) return null
  const { entry } = judgeLine(head.subarray(0, end))
  return { after: entry?.type === 'journal.opened' ? (entry.after ?? null) : null }
}

function firstBytes(file: string): Buffer {
  try {
    return bytesFrom(file, 0, headerBytes)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

/**
 * The whole lines of a segment from a position on, which is the end of a line, and the part of a line
 * behind them that is being written, or was cut off.
 *
 * @throws what the disk says
 */
export function linesOf({ file, end }: Segment, position = 0): { readonly lines: Buffer; readonly torn: Buffer } {
  const bytes = bytesFrom(file, position, end ?? Infinity)
  const whole = bytes.lastIndexOf(newline) + 1
  return { lines: bytes.subarray(0, whole), torn: bytes.subarray(whole) }
}

/** No more than the file says of itself, because a device has no end; and in steps, because one call reads 2 GiB at most. */
function bytesFrom(file: string, start: number, end: number): Buffer {
  const fd = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(Math.max(0, Math.min(end, fstatSync(fd).size) - start))
    let read = 0
    for (let step = -1; step !== 0; read += step) {
      step = readSync(fd, bytes, read, Math.min(bytes.length - read, stepBytes), start + read)
    }
    return bytes.subarray(0, read)
  } finally {
    closeSync(fd)
  }
}
