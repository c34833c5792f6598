import type { Duplex } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { parseJson } from '../../fs/parse-json.ts'

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
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  let held = 0
  stream.on('data', (bytes: Buffer) => {
    const text = decoder.write(bytes)
    const [first = '', ...rest] = text.split('\n')
    parts.push(first)
    held += first.length
    for (const line of rest) {
      const whole = parts.join('')
      parts = [line]
      held = line.length
      const document = parseJson(whole)
      if (document !== undefined) heard(document as Heard)
    }
    if (held > longest) stream.destroy()
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
