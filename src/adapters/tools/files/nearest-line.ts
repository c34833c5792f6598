import { distance } from 'fastest-levenshtein'

/** A line of a file that resembles a wanted one. */
export interface NearLine {
  /** The line's number, counted from 1. */
  readonly number: number
  readonly text: string
  /** True when the line differs from the wanted one in white space at most. */
  readonly sameWords: boolean
}

const comparedLines = 20_000
const comparedLength = 300

/**
 * Finds the line of a file that comes nearest to the most telling line of a text that was not found in it.
 *
 * @returns null when nothing resembles it by at least a half.
 * @example nearestLine('a\n  foo(1)\n', 'foo(2)') // { number: 2, text: '  foo(1)', sameWords: false }
 */
export function nearestLine(file: string, wanted: string): NearLine | null {
  const telling = squeeze(
    wanted.split('\n').reduce((best, line) => (line.trim().length > best.trim().length ? line : best), ''),
  )
  if (telling === '') return null
  let least = Math.ceil(telling.length / 2) + 1
  let near: NearLine | null = null
  for (const [index, text] of file.split('\n', comparedLines).entries()) {
    const line = squeeze(text)
    if (Math.abs(line.length - telling.length) >= least) continue
    const edits = line === telling ? 0 : distance(line, telling)
    if (edits >= least) continue
    near = { number: index + 1, text: text.replace(/\r$/, ''), sameWords: edits === 0 }
    if (edits === 0) return near
    least = edits
  }
  return near
}

function squeeze(line: string): string {
  return line.trim().replace(/\s+/g, ' ').slice(0, comparedLength)
}
