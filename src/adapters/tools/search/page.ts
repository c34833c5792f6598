/** A stretch of a longer list. */
export interface Page {
  readonly offset: number
  readonly limit: number
}

/**
 * Shows a page of lines with a footer that says what is missing and how to see it.
 *
 * @param most False when the list itself had to be cut short.
 * @example pageOf(['a', 'b', 'c'], { offset: 0, limit: 2 }) // 'a\nb\n[1-2 of 3; more with offset=2]'
 */
export function pageOfLines(lines: readonly string[], { offset, limit }: Page, whole = true): string {
  const shown = lines.slice(offset, offset + limit)
  const total = `${whole ? '' : 'more than '}${lines.length.toLocaleString('en-US')}`
  if (shown.length === 0) return `[offset ${offset} is past the end: there are ${total}]`
  const next = offset + shown.length
  if (offset === 0 && next === lines.length && whole) return shown.join('\n')
  const how = next < lines.length ? `; more with offset=${next}` : ''
  return [...shown, `[${offset + 1}-${next} of ${total}${how}]`].join('\n')
}
