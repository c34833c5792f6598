import { nearestLine } from './nearest-line.ts'
import { replaceText } from './replace-text.ts'

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
