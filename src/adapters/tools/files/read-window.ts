import { startHash } from '../../fs/content-hash.ts'

/** A stretch of a file's lines. */
export interface FileWindow {
  readonly lines: readonly string[]
  /** Number of the first line, from 1. */
  readonly first: number
  /** Lines in the whole file, or null when it is too long to be counted. */
  readonly total: number | null
  readonly binary: boolean
  /** The hash of everything, when everything was read. */
  readonly hash: string | null
  /** The whole content of a small file. */
  readonly bytes?: Uint8Array
}

/** A source of bytes: fills the buffer and returns the number of bytes, 0 at the end. */
export interface ByteSource {
  read(buffer: Uint8Array): Promise<number>
}

export interface WindowLimits {
  /** First wanted line, from 1. */
  readonly offset: number
  readonly limit: number
  /** Characters of all lines together; at least one line is given. */
  readonly maxChars: number
  /** Characters after which one line is cut. */
  readonly maxLine: number
}

/** Small enough to stay near the processor. */
const chunkBytes = 1 << 18
const countedBytes = 1 << 28
const sniffedBytes = 8_192
const newline = 10

/**
 * Reads a window of lines in bounded memory, however long the file or its lines are, and counts the rest.
 * A zero byte near the beginning makes the file binary; then no line is given.
 *
 * @example await readWindow(opened, { offset: 1, limit: 2_000, maxChars: 60_000, maxLine: 2_000 }, signal)
 */
export async function readWindow(source: ByteSource, limits: WindowLimits, signal: AbortSignal): Promise<FileWindow> {
  const collector = collectLines(limits)
  const hash = startHash()
  let read = 0
  let first: Uint8Array | undefined
  for await (const chunk of chunksOf(source)) {
    signal.throwIfAborted()
    if (read === 0 && chunk.subarray(0, sniffedBytes).includes(0)) {
      return { lines: [], first: limits.offset, total: null, binary: true, hash: null }
    }
    first = read === 0 && chunk.length < chunkBytes ? Buffer.from(chunk) : undefined
    read += chunk.length
    hash.update(chunk)
    collector.take(chunk)
    if (read > countedBytes && collector.full()) return { ...collector.window(), total: null, hash: null }
  }
  collector.end()
  return { ...collector.window(), hash: hash.digest('hex'), ...(first === undefined ? {} : { bytes: first }) }
}

/** While one chunk is worked on the next is read, into the other of two buffers; a chunk is good until then. */
async function* chunksOf(source: ByteSource): AsyncGenerator<Buffer, void, undefined> {
  let [chunk, spare] = [Buffer.allocUnsafe(chunkBytes), Buffer.alloc(0)]
  let got = await source.read(chunk)
  while (got > 0) {
    if (got < chunkBytes) {
      // Most likely the end: nothing is worth reading ahead for.
      yield chunk.subarray(0, got)
      got = await source.read(chunk)
      continue
    }
    if (spare.length === 0) spare = Buffer.allocUnsafe(chunkBytes)
    const next = source.read(spare)
    const over = next.catch(() => 0)
    try {
      yield chunk
    } finally {
      // The caller closes the file after this, and may do so only when no read is under way.
      await over
    }
    got = await next
    ;[chunk, spare] = [spare, chunk]
  }
}

function collectLines(limits: WindowLimits) {
  const page = fillPage(limits)
  const line = keepLine(limits.maxLine)
  let finished = 0
  let open = true

  const isOpen = (): boolean => open
  const wanted = (): boolean => finished + 1 >= limits.offset
  const finish = (): void => {
    if (wanted()) open = page.add(line.text())
    finished += 1
    line.clear()
  }

  return {
    take(chunk: Buffer): void {
      let at = 0
      while (isOpen() && at < chunk.length) {
        const end = chunk.indexOf(newline, at)
        line.add(chunk.subarray(at, end === -1 ? chunk.length : end), wanted())
        if (end === -1) return
        finish()
        at = end + 1
      }
      if (isOpen()) return
      finished += countNewlines(chunk.subarray(at))
      line.clear()
      if (chunk.at(-1) !== newline) line.add(chunk.subarray(-1), false)
    },
    end(): void {
      if (line.bytes() > 0) finish()
    },
    full: (): boolean => !isOpen(),
    window: () => ({ lines: page.lines, first: limits.offset, total: finished, binary: false }),
  }
}

/** The lines shown; `add` says whether the page was still open for this one. */
function fillPage({ limit, maxChars }: WindowLimits) {
  const lines: string[] = []
  let chars = 0
  return {
    lines,
    add(text: string): boolean {
      const fits = lines.length < limit && (lines.length === 0 || chars + text.length <= maxChars)
      if (!fits) return false
      lines.push(text)
      chars += text.length
      return true
    },
  }
}

/** The line being read: of a long one only the beginning is kept. */
function keepLine(max: number) {
  const kept: Buffer[] = []
  let room = max * 4
  let bytes = 0
  return {
    add(part: Buffer, wanted: boolean): void {
      bytes += part.length
      if (!wanted || room === 0) return
      // Copied: the chunk is overwritten by the next read.
      const piece = Buffer.from(part.subarray(0, room))
      kept.push(piece)
      room -= piece.length
    },
    bytes: (): number => bytes,
    text: (): string => lineText(Buffer.concat(kept), bytes, max),
    clear(): void {
      kept.length = 0
      room = max * 4
      bytes = 0
    },
  }
}

function lineText(kept: Buffer, bytes: number, max: number): string {
  const text = kept
    .toString('utf8')
    .replace(/\r$/, '')
    .replace(/^\uFEFF/, '')
  if (kept.length === bytes && text.length <= max) return text
  const shown = text.slice(0, max).replace(/[\uD800-\uDBFF\uFFFD]$/, '')
  return `${shown}… [line cut: ${(bytes - Buffer.byteLength(shown)).toLocaleString('en-US')} more bytes]`
}

function countNewlines(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count += 1
  return count
}
