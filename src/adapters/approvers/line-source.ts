import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** Hears one line, or null when no further line can come. */
export type LineReader = (line: string | null) => void

/**
 * Lines of an input, each handed to whoever reads at that moment and dropped when nobody does. The input is
 * opened with the first reader, so that a run without questions never touches it.
 */
export interface LineSource {
  read(reader: LineReader | null): void
}

/** `lineSource(process.stdin).read((line) => …)` */
export function lineSource(input: Readable): LineSource {
  let reader: LineReader | null = null
  let opened = false
  let closed = false

  const open = (): void => {
    opened = true
    const lines = createInterface({ input, terminal: false })
    lines.on('line', (line) => reader?.(line))
    lines.on('close', () => {
      closed = true
      reader?.(null)
    })
  }

  return {
    read(next) {
      reader = next
      if (next === null) return
      if (closed || input.destroyed || input.readableEnded) next(null)
      else if (!opened) open()
    },
  }
}
