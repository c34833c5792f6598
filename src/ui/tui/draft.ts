const graphemes = new Intl.Segmenter()

/** A line that is being typed; `cursor` counts characters as a reader sees them. */
export interface InputLine {
  readonly text: string
  readonly cursor: number
}

export const emptyLine: InputLine = { text: '', cursor: 0 }

/** Puts typed or pasted text where the cursor stands. */
export function typed(draft: InputLine, text: string): InputLine {
  const [before, after] = halves(draft)
  return { text: before + text + after, cursor: characters(before + text).length }
}

/** Takes away the character before the cursor. */
export function erased(draft: InputLine): InputLine {
  const [before, after] = halves(draft)
  const kept = characters(before).slice(0, -1)
  return { text: kept.join('') + after, cursor: kept.length }
}

/** Takes away the word before the cursor. */
export function wordErased(draft: InputLine): InputLine {
  const [before, after] = halves(draft)
  const kept = before.replace(/\S*\s*$/, '')
  return { text: kept + after, cursor: characters(kept).length }
}

export function moveCursor(draft: InputLine, by: number): InputLine {
  const cursor = Math.min(Math.max(0, draft.cursor + by), characters(draft.text).length)
  return { ...draft, cursor }
}

/** The text before the cursor, and the text behind it. */
export function halves({ text, cursor }: InputLine): readonly [string, string] {
  const all = characters(text)
  return [all.slice(0, cursor).join(''), all.slice(cursor).join('')]
}

function characters(text: string): readonly string[] {
  return [...graphemes.segment(text)].map(({ segment }) => segment)
}
