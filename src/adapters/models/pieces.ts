import type { Readable } from 'node:stream'

/** Takes a text apart while it comes. */
export interface Cutter<Part> {
  feed(piece: string): Part
  /** What is left at the end. */
  end(): Part
}

/**
 * What a cutter makes of each piece of a text stream as it comes, and of its end; leaving early leaves the stream open. The stream's own iterator watches
 * everything that may become of any stream, which costs more than reading a short answer. Whoever reads keeps an ear
 * on `error` beside it: a stream that fails says so once more when nobody reads.
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
      const piece = body.read() as string | Buffer | null
      if (piece !== null) yield cutter.feed(piece.toString())
      else if (body.errored) throw body.errored
      else if (isOver) break
      else if (body.closed) throw Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
      else await new Promise<void>((resolve) => (wake = resolve))
    }
    yield cutter.end()
  } finally {
    body.off('readable', ring).off('end', end).off('error', ring).off('close', ring)
  }
}
