import type { Readable } from 'node:stream'
import { nextPass } from './next-pass.ts'

/** Takes a text apart while it comes. */
export interface Cutter<Part> {
  feed(piece: string): Part
  /** What is left at the end. */
  end(): Part
}

/**
 * What a cutter makes of each piece of a text stream as it comes, and of its end; leaving early leaves the stream open. The stream's own iterator watches
 * everything that may become of any stream, which costs more than reading a short answer. Whoever reads keeps an ear
 * on `error` beside it: a stream that fails says so once more when nobody reads. What came to many streams in one pass of the
 * event loop is read in step.
 *
 * @throws What the stream failed with, or that it closed before its end.
 */
export async function* cutPieces<Part>(body: Readable, cutter: Cutter<Part>): AsyncGenerator<Part> {
  let isOver = false
  let wake: (() => void) | undefined
  const ring = (): void => wake?.()
  const end = (): void => {
    isOver = true
    ring()
  }
  body.on('readable', ring).on('end', end).on('error', ring).on('close', ring)
  try {
    for (;;) {
      await nextPass()
      for (let piece = read(body); piece !== null; piece = read(body)) yield cutter.feed(piece.toString())
      if (body.errored) throw body.errored
      if (isOver) break
      if (body.closed) throw Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
      await new Promise<void>((resolve) => (wake = resolve))
    }
    yield cutter.end()
  } finally {
    body.off('readable', ring).off('end', end).off('error', ring).off('close', ring)
  }
}

function read(body: Readable): string | Buffer | null {
  return body.read() as string | Buffer | null
}
