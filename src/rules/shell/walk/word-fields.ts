import type { Word } from 'unbash'
import { plainPattern } from '../../paths/name-patterns.ts'
import type { BashWord } from '../bash-word.ts'
import { isExpansion, mayVanish } from './expansion.ts'
import { isTexts, literally, mostValues, type ShellState, type ShellText } from './shell-values.ts'
import { shorterTexts } from './shorter-texts.ts'
import type { Outcomes } from './word-texts.ts'

type Unknown = 'number' | 'env' | 'name' | null
/** The ways in which a part of a word may come out. */
export type Found = readonly WordPiece[] | Unknown

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

/** @param state that in which the word began: `${x:=a}` is a text of the line, besides. */
export function combined(word: Word, found: readonly Found[], state: ShellState): Outcomes {
  const { text } = word
  let ways: WordPiece[][] = [[]]
  const unknown: Unknown[] = []
  for (const part of found) {
    if (part === null || typeof part === 'string') unknown.push(part)
    else if (ways.length * part.length > mostValues) unknown.push(part.every(isHarmless) ? 'env' : null)
    else if (part.length === 1) for (const way of ways) way.push(...part)
    else ways = ways.flatMap((way) => part.map((piece) => [...way, piece]))
  }
  if (unknown.length === 0) return ways.map((way) => fields(text, way))
  const from = sourceOf(unknown, found)
  const splits = (word.parts ?? []).some(({ type }) => type !== 'DoubleQuoted' && isExpansion(type))
  const vanishes = (word.parts ?? []).every(mayVanish)
  const shorter = from === 'number' ? [] : shorterTexts(word, state)
  const named = isName(found)
  const known = {
    ...(named && { named }),
    ...(from && { from }),
    ...(vanishes && { vanishes }),
    ...(shorter.length > 0 && { shorter }),
  }
  return [[{ text, value: null, glob: false, ...known, ...(splits && from !== 'number' && { splits }) }]]
}

export function isHarmless({ text, glob }: ShellText): boolean {
  return !glob && /^[\w.]*$/.test(text)
}

/** The text has the name of a branch in it, begins with no dash, and holds no blank. */
export function isName(found: readonly Found[]): boolean {
  const [first = null] = found
  const begins = first === 'name' || (isTexts(first) && first.every(({ text }) => /^[\w./:@]/.test(text)))
  return begins && found.includes('name') && found.every(isPart)
}

function isPart(part: Found): boolean {
  return isTexts(part) ? part.every(({ text }) => /^[\w./:~^@{}+-]*$/.test(text)) : part !== null
}

function sourceOf(unknown: readonly Unknown[], found: readonly Found[]): BashWord['from'] | undefined {
  if (unknown.includes(null) || unknown.includes('name')) return undefined
  // A text of the line beside it may fall apart, or find files.
  if (found.some((part) => isTexts(part) && part.some(({ text, splits }) => splits && /[\s*?[]/.test(text))))
    return undefined
  const rest = found.every((part) => part === null || typeof part === 'string' || part.every(({ text }) => text === ''))
  return rest && unknown.every((kind) => kind === 'number') ? 'number' : 'env'
}
