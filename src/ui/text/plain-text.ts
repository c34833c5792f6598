import { stripVTControlCharacters } from 'node:util'

/**
 * Line ends stay, everything else that a terminal obeys goes: C0, DEL, C1, and what re-orders a line. So do signs of no
 * width, which hide one word in another and are counted differently by each terminal, but for the joiners that scripts and emoji need.
 */
const obeyed =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/gu

/**
 * Makes a text that somebody else wrote (a model, a tool, a mail) safe to print: whatever could move the
 * cursor, set the title, re-order the line or ring is removed; line ends and tabs stay.
 *
 * `plainText('\u001b[2Jdone\r\n')` → `'done\n'`
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text.toWellFormed()).replaceAll('\r\n', '\n').replace(obeyed, '')
}

/** `plainText` of a text that has colours in it, which stay. */
export function paintedText(text: string): string {
  return text
    .split(/(\u001b\[[\d;]*m)/)
    .map((part, n) => (n % 2 === 0 ? plainText(part) : part))
    .join('')
}

/** Signs that a terminal obeys or shows nothing of: both can hide a part of a text. */
const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/gu

/**
 * Makes a text safe to print and hides nothing of it: what a terminal would obey, or show nothing of, is written out.
 * For calls that a person judges: a shell runs also what a terminal takes for a title.
 *
 * `visibleText('ls \u001b]0;;rm x\u0007')` → `'ls \\u001b]0;;rm x\\u0007'`
 */
export function visibleText(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replace(unseen, escaped)
}

/** One JSON document that any terminal shows as it is: whatever it would obey stands there as an escape of JSON. */
export function jsonText(document: unknown, indent?: number): string {
  return JSON.stringify(document, null, indent).replace(unseen, escaped)
}

function escaped(sign: string): string {
  return [...Array(sign.length).keys()]
    .map((index) => `\\u${sign.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('')
}

/** `plainText` on one line: runs of white space become one space. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim()
}
