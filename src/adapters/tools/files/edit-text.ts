import { distance } from 'fastest-levenshtein'

/** One replacement as models write it. */
export interface EditWish {
  readonly old_string: string
  readonly new_string: string
  readonly replace_all?: boolean | undefined
}

/** The text after an edit with the numbers of the lines it touched, or in words why it was not made. */
export type Edited = { readonly text: string; readonly lines: readonly number[] } | { readonly trouble: string }

/** The line number that Read puts in front of a line. */
const lineNumber = /^ *\d+\t/

/**
 * Makes one edit in a text. A text that was copied together with the line numbers of Read is found without them, when
 * every line of it has one; the new text then loses those that it has.
 *
 * @param path Only for the words of a complaint.
 * @example editText('a b', { old_string: 'b', new_string: 'c' }, '/a.txt') // { text: 'a c', lines: [1] }
 */
export function editText(file: string, wish: EditWish, path: string): Edited {
  const { old_string: old, new_string: next, replace_all: all = false } = wish
  if (old === next) return { trouble: 'old_string and new_string are the same: there is nothing to change.' }
  const { text, lines } = replaceText(file, { old, next, all })
  if (text !== null) return { text, lines }
  if (lines.length > 0) return { trouble: ambiguous(path, lines) }
  const plain = withoutNumbers(wish)
  return plain === null ? { trouble: notFound(path, file, old) } : editText(file, plain, path)
}

/** Null when the wanted text is not lines as Read shows them. */
function withoutNumbers(wish: EditWish): EditWish | null {
  const lines = wish.old_string.replace(/\n$/, '').split('\n')
  if (!lines.every((line) => lineNumber.test(line))) return null
  const plain = (text: string): string =>
    text
      .split('\n')
      .map((line) => line.replace(lineNumber, ''))
      .join('\n')
  const old_string = plain(wish.old_string)
  return old_string === '' ? null : { ...wish, old_string, new_string: plain(wish.new_string) }
}

/** `line 3`, `lines 3, 9`. */
export function atLines(lines: readonly number[]): string {
  const shown = lines.slice(0, 20).join(', ')
  return `${lines.length === 1 ? 'line' : 'lines'} ${shown}${lines.length > 20 ? ', …' : ''}`
}

function notFound(path: string, file: string, old: string): string {
  const near = nearestLine(file, old)
  if (near === null) return `old_string was not found in ${path}, nor anything like it. Read the file again.`
  const why = near.sameWords ? 'the difference is in the white space or in the lines around it' : 'the nearest line'
  return `old_string was not found in ${path}. Line ${near.number} (${why}):\n${near.text.slice(0, 1_000)}`
}

function ambiguous(path: string, lines: readonly number[]): string {
  return [
    `old_string occurs ${lines.length} times in ${path} (${atLines(lines)}).`,
    'Add lines around it until it occurs once, or set replace_all.',
  ].join(' ')
}

/** A line of a file that resembles a wanted one. */
interface NearLine {
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

/** Where an edit took place, or how often its text occurs when that is not once. */
type Replaced =
  | { readonly text: string; readonly lines: readonly number[] }
  | { readonly text: null; readonly lines: readonly number[] }

interface Replacement {
  readonly old: string
  readonly next: string
  readonly all: boolean
}

/**
 * Replaces a text that must occur exactly once, or all its occurrences when that is asked for. In a file with Windows
 * line ends both texts are taken with those line ends, since readers do not see them.
 *
 * @returns The new text with the line numbers of the places; text null and the places found (none or several) otherwise.
 * @example replaceText('a b a', { old: 'b', next: 'c', all: false }) // { text: 'a c a', lines: [1] }
 */
export function replaceText(file: string, { old, next, all }: Replacement): Replaced {
  const windows = file.includes('\r\n') && !(old.includes('\n') && file.includes(old))
  const wanted = windows ? withWindowsEnds(old) : old
  const places = placesOf(file, wanted)
  const lines = lineNumbers(file, places)
  if (places.length === 0 || (places.length > 1 && !all)) return { text: null, lines }
  return { text: file.split(wanted).join(windows ? withWindowsEnds(next) : next), lines }
}

function placesOf(file: string, wanted: string): readonly number[] {
  const places: number[] = []
  for (let at = file.indexOf(wanted); at !== -1; at = file.indexOf(wanted, at + wanted.length)) places.push(at)
  return places
}

function lineNumbers(file: string, places: readonly number[]): readonly number[] {
  let line = 1
  let from = 0
  return places.map((place) => {
    for (let at = file.indexOf('\n', from); at !== -1 && at < place; at = file.indexOf('\n', at + 1)) line += 1
    from = place
    return line
  })
}

function withWindowsEnds(text: string): string {
  return text.replace(/\r?\n/g, '\r\n')
}
