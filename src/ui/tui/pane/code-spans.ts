import { SugarHigh, tokenize } from 'sugar-high/core'
import { lang, languages } from 'sugar-high/lang'
import type { Tone } from '../../text/terminal-text.ts'

/** A piece of a text in one tone. */
export interface PaintedText {
  readonly text: string
  readonly tone: Tone | null
}

const tones: Readonly<Record<string, Tone>> = {
  comment: 'dim',
  string: 'green',
  keyword: 'magenta',
  class: 'yellow',
  property: 'cyan',
  entity: 'blue',
}

/** Longer code is not looked at: its tones would hold the screen up for longer than a key may wait. */
const mostColoured = 20_000

/**
 * Code in the tones of its syntax; code of a language that is not known has one tone, and so has code of more than 20,000
 * characters.
 * @param name as a fence of Markdown or the end of a file's name has it: `ts`, `python`
 * @example codeSpans('let x', 'js') // [{ text: 'let', tone: 'magenta' }, { text: ' ', tone: null }, …]
 */
export function codeSpans(code: string, name: string): readonly PaintedText[] {
  const language = lang(name.toLowerCase())
  if (language === undefined || code.length > mostColoured) return [{ text: code, tone: 'cyan' }]
  const config = languages.find(({ id }) => id === language)?.config
  const spans = tokenize(code, config).map(([type, text]) => ({
    text,
    tone: tones[SugarHigh.TokenTypes[type] ?? ''] ?? null,
  }))
  // Colour is worth nothing where a character of the code is lost.
  return spans.map(({ text }) => text).join('') === code ? spans : [{ text: code, tone: 'cyan' }]
}
