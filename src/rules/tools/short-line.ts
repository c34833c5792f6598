/**
 * The beginning of a text on one line, for notes and screens: no control characters, no markup that could be taken for a
 * frame.
 *
 * @example shortLine('Look at\n<x>', 80) // 'Look at ‹x›'
 */
export function shortLine(text: string, length: number): string {
  const line = text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .trim()
  return line.length > length ? `${line.slice(0, length - 1).trimEnd()}…` : line
}
