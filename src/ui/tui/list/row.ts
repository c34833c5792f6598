import { plainLine } from '../../text/plain-text.ts'
import { fitWidth, padWidth, type Tone } from '../../text/terminal-text.ts'
import type { Picture } from '../state/picture.ts'
import type { Row, RowKey } from '../state/ui.ts'

interface RowParts extends RowKey {
  /** The last one takes the rest of the line. */
  readonly cells: readonly string[]
  readonly widths: readonly number[]
  readonly whole: string
  readonly tone: Tone | null
}

/** A row of a list in columns. */
export function rowOf({ id, leads, cells, widths, whole, tone }: RowParts, paint: Picture['paint']): Row {
  return {
    id,
    leads,
    words: () => cells.join(' '),
    line(width) {
      const text = cells.map((cell, n) => padWidth(plainLine(cell), widths[n] ?? width)).join(' ')
      const line = padWidth(fitWidth(text.trimEnd(), width), width)
      return tone === null ? line : paint(tone, line)
    },
    whole: () => whole,
  }
}
