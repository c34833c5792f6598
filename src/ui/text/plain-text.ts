import { stripVTControlCharacters } from 'node:util'

/** Line ends stay, everything else that a terminal obeys goes: C0, DEL, C1, and what re-orders a line. */
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/**
 * Makes a text that somebody else wrote (a model, a tool, a mail) safe to print: whatever could move the
 * cursor, set the title, re-order the line or ring is removed; line ends and tabs stay.
 *
 * `plainText('\u001b[2Jdone\r\n')` → `'done\n'`
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text.toWellFormed()).replaceAll('\r\n', '\n').replace(obeyed, '')
}

/** The same on one line: runs of white space become one space. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim()
}
