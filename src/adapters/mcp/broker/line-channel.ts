import type { Duplex } from 'node:stream'
import { parseJson } from '../../fs/parse-json.ts'
import { hearLines } from '../hear-lines.ts'

/** One JSON document per line, both ways. */
export interface LineChannel<Said> {
  say(line: Said): void
  close(): void
}

interface Hearer<Heard> {
  heard(line: Heard): void
  /** Called once. */
  gone(): void
}

/** A line that is longer ends the channel. */
const longestLine = 64 * 1024 * 1024

/** Speaks in lines over a stream, in the order in which they were said, however they are cut on the way. */
export function lineChannel<Said, Heard>(
  stream: Duplex,
  { heard, gone }: Hearer<Heard>,
  longest = longestLine,
): LineChannel<Said> {
  hearLines(stream, {
    longest,
    heard(line) {
      const document = parseJson(line)
      if (typeof document === 'object' && document !== null) heard(document as Heard)
    },
    tooLong: () => void stream.destroy(),
  })
  stream.on('error', () => undefined)
  stream.once('close', gone)
  return {
    say(line) {
      if (!stream.destroyed) stream.write(`${JSON.stringify(line)}\n`)
    },
    close: () => void stream.destroy(),
  }
}
