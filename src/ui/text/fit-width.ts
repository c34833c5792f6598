import stringWidth from 'string-width'

const graphemes = new Intl.Segmenter()

/** Columns that a text takes on a terminal; wide characters and emoji count two. */
export function widthOf(text: string): number {
  return stringWidth(text)
}

/**
 * Cuts a one-line text to so many columns, never inside a character; what was cut shows as `…`.
 *
 * `fitWidth('日本語', 5)` → `'日本…'`
 */
export function fitWidth(text: string, columns: number): string {
  if (columns <= 0) return ''
  if (widthOf(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const { segment } of graphemes.segment(text)) {
    const next = width + widthOf(segment)
    if (next > columns - 1) break
    kept += segment
    width = next
  }
  return `${kept}…`
}

/** Fits a text and fills it with spaces up to so many columns. */
export function padWidth(text: string, columns: number): string {
  const fitted = fitWidth(text, columns)
  return fitted + ' '.repeat(Math.max(0, columns - widthOf(fitted)))
}
