import { lexer, type Token, type Tokens } from 'marked'
import { plainText } from '../../text/plain-text.ts'
import { codeSpans, type PaintedText } from './code-spans.ts'
import { padWidth, widthOf, wrapWidth, type Paint, type Tone } from '../../text/terminal-text.ts'

interface Sheet {
  readonly width: number
  readonly paint: Paint
}

/** With less room an element stands as it was written. */
const leastWidth = 6

/**
 * Markdown as lines of a terminal. Nothing of it is hidden: what is no known element stands there as it was written.
 * @param text from anybody: whatever a terminal would obey is taken away
 */
export function markdownLines(text: string, sheet: Sheet): readonly string[] {
  const plain = plainText(text)
  try {
    return blocks(lexer(plain.trim()), sheet)
  } catch {
    // Elements within thousands of others are deeper than a stack.
    return wrapWidth(plain, sheet.width)
  }
}

function blocks(tokens: readonly Token[], sheet: Sheet): readonly string[] {
  return tokens.flatMap((token) => block(token, sheet))
}

function block(token: Token, sheet: Sheet): readonly string[] {
  const { width, paint } = sheet
  switch (token.type) {
    case 'space':
      return ['']
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading
      return painted([{ text: `${'#'.repeat(depth)} `, tone: 'bold' }, ...inlines(tokens, 'bold')], sheet)
    }
    case 'code': {
      const { text, lang = '' } = token as Tokens.Code
      const code = indented(painted(codeSpans(text, lang.split(/\s/, 1)[0] ?? ''), { width: width - 2, paint }), '  ')
      return lang === '' ? code : [...painted([{ text: lang, tone: 'dim' }], sheet), ...code]
    }
    case 'blockquote': {
      const { tokens, raw } = token as Tokens.Blockquote
      if (width < leastWidth) return wrapWidth(raw.trimEnd(), width)
      return indented(trimmed(blocks(tokens, { ...sheet, width: width - 2 })), paint('dim', '│ '))
    }
    case 'list':
      return listLines(token as Tokens.List, sheet)
    case 'table':
      return tableLines(token as Tokens.Table, sheet)
    case 'hr':
      return [paint('dim', '─'.repeat(Math.max(1, width)))]
    case 'paragraph':
    case 'text': {
      const { tokens, text } = token as Tokens.Paragraph
      return painted(tokens ? inlines(tokens, null) : [{ text, tone: null }], sheet)
    }
    default:
      return wrapWidth(token.raw.trimEnd(), width)
  }
}

function listLines({ items, ordered, start, loose }: Tokens.List, { width, paint }: Sheet): readonly string[] {
  return items.flatMap((item, n) => {
    const box = item.task ? `[${item.checked ? 'x' : ' '}] ` : ''
    const sign = `${ordered ? `${Number(start) + n}.` : '•'} ${box}`
    if (width - sign.length < leastWidth) return wrapWidth(item.raw.trimEnd(), width)
    const indent = ' '.repeat(sign.length)
    const content = item.tokens.filter(({ type }) => type !== 'checkbox')
    const lines = trimmed(blocks(content, { width: width - sign.length, paint }))
    const shown = lines.map((line, index) => (index === 0 ? sign : indent) + line)
    return loose && n < items.length - 1 ? [...shown, ''] : shown
  })
}

/** Columns as wide as their widest cell; a table that has no room, or would lose a cell, stands as it was written. */
function tableLines({ header, rows, raw }: Tokens.Table, sheet: Sheet): readonly string[] {
  const { width, paint } = sheet
  const plain = (cell: Tokens.TableCell): string =>
    inlines(cell.tokens, null)
      .map(({ text }) => text)
      .join('')
  const texts = [header, ...rows].map((row) => row.map(plain))
  const columns = header.map((_, n) => Math.max(...texts.map((row) => widthOf(row[n] ?? ''))))
  const fits = columns.reduce((sum, each) => sum + each + 3, -3) <= width
  // A row may have cells for which there is no column.
  if (!fits || lettersIn(texts.flat().join('')) < lettersIn(raw)) return wrapWidth(raw.trimEnd(), width)
  const line = (cells: readonly string[]): string => cells.map((cell, n) => padWidth(cell, columns[n] ?? 0)).join(' │ ')
  const [head = [], ...body] = texts
  const rule = columns.map((each) => '─'.repeat(each)).join('─┼─')
  return [paint('bold', line(head)), paint('dim', rule), ...body.map(line)]
}

function lettersIn(text: string): number {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '').length
}

function inlines(tokens: readonly Token[], tone: Tone | null): readonly PaintedText[] {
  return tokens.flatMap((token) => inline(token, tone))
}

const inlineTones: Readonly<Record<string, Tone>> = { strong: 'bold', em: 'italic', codespan: 'cyan', del: 'dim' }

function inline(token: Token, tone: Tone | null): readonly PaintedText[] {
  const own = inlineTones[token.type] ?? tone
  if (token.type === 'br') return [{ text: '\n', tone }]
  if (token.type === 'codespan') return [{ text: (token as Tokens.Codespan).text, tone: own }]
  if (token.type === 'link') {
    const { href, title, text, tokens, raw } = token as Tokens.Link
    const isBare = raw === text || raw === `<${text}>`
    const address = isBare ? [] : [{ text: ` (${[href, title ?? ''].join(' ').trim()})`, tone: 'dim' as const }]
    return [...inlines(tokens, 'underline'), ...address]
  }
  if ('tokens' in token && token.tokens && token.type !== 'image') return inlines(token.tokens, own)
  if (token.type === 'text' || token.type === 'escape') return [{ text: (token as Tokens.Text).text, tone: own }]
  return [{ text: token.raw, tone: own }]
}

/** Breaks a text of several tones into lines; each line ends in the tone in which it began. */
function painted(spans: readonly PaintedText[], { width, paint }: Sheet): readonly string[] {
  const untabbed = spans.map(({ text, tone }) => ({ text: text.replaceAll('\t', '    '), tone }))
  const whole = untabbed.map(({ text }) => text).join('')
  let at = 0
  return wrapWidth(whole, width).map((line) => {
    // A space or a line end at which the text was broken belongs to no line.
    if (!whole.startsWith(line, at)) at += 1
    const end = at + line.length
    const shown = cut(untabbed, at, end).map(({ text, tone }) => (tone === null ? text : paint(tone, text)))
    at = end
    if (whole[at] === '\n') at += 1
    return shown.join('')
  })
}

function cut(spans: readonly PaintedText[], from: number, to: number): readonly PaintedText[] {
  let start = 0
  return spans.flatMap((span) => {
    const begin = start
    start += span.text.length
    const text = span.text.slice(Math.max(0, from - begin), Math.max(0, to - begin))
    return text === '' ? [] : [{ ...span, text }]
  })
}

function indented(lines: readonly string[], indent: string): readonly string[] {
  return lines.map((line) => indent + line)
}

function trimmed(lines: readonly string[]): readonly string[] {
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
