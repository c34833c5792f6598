/** A line that is being typed, parted by the cursor: a key costs the same however long it is. */
export interface InputLine {
  readonly before: string
  readonly after: string
}

export const emptyLine: InputLine = { before: '', after: '' }

export function draftText({ before, after }: InputLine): string {
  return before + after
}

/** Puts typed or pasted text where the cursor stands. */
export function typed({ before, after }: InputLine, text: string): InputLine {
  return { before: before + text, after }
}

/** Takes away the character before the cursor. */
export function erased({ before, after }: InputLine): InputLine {
  return { before: before.slice(0, before.length - lastOf(before).length), after }
}

/** Takes away the word before the cursor. */
export function wordErased({ before, after }: InputLine): InputLine {
  const word = before.trimEnd()
  let start = word.length
  while (start > 0 && !/\s/.test(word.charAt(start - 1))) start -= 1
  return { before: word.slice(0, start), after }
}

/** Moves the cursor by a character, as a reader sees them, or to an end of the line. */
export function moved({ before, after }: InputLine, to: 'left' | 'right' | 'start' | 'end'): InputLine {
  if (to === 'start') return { before: '', after: before + after }
  if (to === 'end') return { before: before + after, after: '' }
  const sign = to === 'left' ? lastOf(before) : firstOf(after)
  return to === 'left'
    ? { before: before.slice(0, before.length - sign.length), after: sign + after }
    : { before: before + sign, after: after.slice(sign.length) }
}

/**
 * Moves the cursor to the same place of the line above or below; to the end of the text where there is no such line.
 *
 * @example movedByLine({ before: 'ab\ncd', after: '' }, 'up') // { before: 'ab', after: '\ncd' }
 */
export function movedByLine({ before, after }: InputLine, to: 'up' | 'down'): InputLine {
  const lines = (before + after).split('\n')
  const above = before.split('\n')
  const column = above.at(-1)?.length ?? 0
  const row = above.length - 1 + (to === 'up' ? -1 : 1)
  const line = lines[row]
  if (line === undefined) return moved({ before, after }, to === 'up' ? 'start' : 'end')
  const place = graphemes.segment(line).containing(column)?.index ?? line.length
  return {
    before: [...lines.slice(0, row), line.slice(0, place)].join('\n'),
    after: [line.slice(place), ...lines.slice(row + 1)].join('\n'),
  }
}

const graphemes = new Intl.Segmenter()
/** No character that a reader sees is longer. */
const longest = 64

function lastOf(text: string): string {
  return [...graphemes.segment(text.slice(-longest))].at(-1)?.segment ?? ''
}

function firstOf(text: string): string {
  return [...graphemes.segment(text.slice(0, longest))][0]?.segment ?? ''
}
