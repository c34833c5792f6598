import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

interface LineHearer {
  heard(line: string): void
  /** The longest line, in characters. */
  readonly longest: number
  /** Called once, for a line that is longer: nothing is kept or heard from then on. */
  tooLong(): void
}

/** Hears the lines of a stream in their order, however they are cut on the way. */
export function hearLines(stream: Readable, { heard, longest, tooLong }: LineHearer): void {
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  let held = 0
  const hear = (bytes: Buffer): void => {
    const text = decoder.write(bytes)
    let from = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      const last = text.slice(from, end)
      heard(parts.length === 0 ? last : parts.join('') + last)
      parts = []
      held = 0
      from = end + 1
    }
    if (from === text.length) return
    parts.push(text.slice(from))
    held += text.length - from
    if (held <= longest) return
    parts = []
    stream.off('data', hear)
    stream.resume()
    tooLong()
  }
  stream.on('data', hear)
}
