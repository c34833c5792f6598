import { plainPattern } from '../../paths/name-patterns.ts'
import type { BashWord } from '../bash-word.ts'
import { literally } from './shell-values.ts'

/** A part of a word in one way that it may come out. */
export interface WordPiece {
  readonly text: string
  /** Wildcards in it count. */
  readonly glob: boolean
  /** The text falls apart at blanks. */
  readonly splits: boolean
}

/** Text that stands for itself. */
export function plainPieces(text: string): readonly WordPiece[] {
  return [{ text, glob: false, splits: false }]
}

/** Quoted text stands for itself; blanks and wildcards that a variable brings count outside of quotes. */
export function fields(text: string, way: readonly WordPiece[]): readonly BashWord[] {
  const made: WordPiece[][] = []
  let open: WordPiece[] | undefined
  for (const piece of way) {
    if (!piece.splits || !/[ \t\n]/.test(piece.text)) {
      if (piece.splits && piece.text === '') continue
      if (open === undefined) made.push((open = []))
      open.push(piece)
      continue
    }
    for (const [i, part] of piece.text.split(/[ \t\n]+/).entries()) {
      if (i > 0) open = undefined
      if (part === '') continue
      if (open === undefined) made.push((open = []))
      open.push({ ...piece, text: part })
    }
  }
  return made.map((field, at) => placed(asWord(text, field), at > 0 || !text.startsWith('~')))
}

/** A `~` that comes out of quotes or of a variable is a name in the directory. */
function placed(word: BashWord, isName: boolean): BashWord {
  return isName && word.value?.startsWith('~') === true ? { ...word, value: `./${word.value}` } : word
}

function asWord(text: string, field: readonly WordPiece[]): BashWord {
  const glob = field.some((piece) => piece.glob && /[*?[]/.test(piece.text))
  const value = field.map((piece) => (glob && !piece.glob ? literally(piece.text) : piece.text)).join('')
  return { text, value: glob ? plainPattern(value) : value, glob }
}
