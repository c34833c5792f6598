import stringWidth from 'string-width'

const graphemes = new Intl.Segmenter()

/** Columns that a text takes on a terminal; wide characters and emoji count two. */
export function widthOf(text: string): number {
  return stringWidth(text)
}

/**
 * Cuts a one-line text to so many columns, never inside a character; what was cut shows as `…`.
 *
 * `fitWidth('日本語', 5)` → `'日本…'`
 */
export function fitWidth(text: string, columns: number): string {
  if (columns <= 0) return ''
  if (widthOf(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const { segment } of graphemes.segment(text)) {
    const next = width + widthOf(segment)
    if (next > columns - 1) break
    kept += segment
    width = next
  }
  return `${kept}…`
}

/** Columns of a part that still says something. */
const leastPart = 12

/**
 * The first parts that have room in one line. A part that would be cut to a few letters is left off with those behind it; the
 * first one always stands.
 *
 * `fitParts(['running', 'Ctrl+C leave'], 14)` → `'running'`
 */
export function fitParts(parts: readonly string[], columns: number): string {
  const [first = '', ...others] = parts
  let kept = first
  for (const part of others) {
    const longer = `${kept} · ${part}`
    if (widthOf(longer) > columns)
      return columns - widthOf(kept) - 3 < leastPart ? fitWidth(kept, columns) : fitWidth(longer, columns)
    kept = longer
  }
  return fitWidth(kept, columns)
}

/** Fits a text and fills it with spaces up to so many columns. */
export function padWidth(text: string, columns: number): string {
  const fitted = fitWidth(text, columns)
  return fitted + ' '.repeat(Math.max(0, columns - widthOf(fitted)))
}

const printable = /^[ -~]*$/

/**
 * Breaks a text into lines of at most so many columns, between words where there are any, never inside a character.
 * Tabs become spaces; nothing is dropped but the spaces at which a line is broken.
 *
 * `wrapWidth('one two', 5)` → `['one', 'two']`
 */
export function wrapWidth(text: string, columns: number): readonly string[] {
  const width = Math.max(2, columns)
  return text.split('\n').flatMap((line) => wrapLine(line.includes('\t') ? untab(line) : line, width))
}

function wrapLine(line: string, width: number): readonly string[] {
  return printable.test(line) ? wrapPlain(line, width) : wrapWide(line, width)
}

/** Of plain characters a text is as wide as it is long. */
function wrapPlain(line: string, width: number): readonly string[] {
  const lines: string[] = []
  let rest = line
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width)
    const atWord = space > 0 && rest.slice(0, space).trim() !== ''
    lines.push(rest.slice(0, atWord ? space : width))
    rest = rest.slice(atWord ? space + 1 : width)
  }
  return [...lines, rest]
}

function wrapWide(line: string, width: number): readonly string[] {
  const lines: string[] = []
  let [start, used] = [0, 0]
  /** The latest place where the line may be broken, and how wide it is up to there. */
  let space = { at: -1, used: 0 }
  const breakAt = (end: number, next: number, left: number): void => {
    lines.push(line.slice(start, end))
    start = next
    used = left
    space = { at: -1, used: 0 }
  }
  for (const { segment, index } of graphemes.segment(line)) {
    const wide = widthOfOne(segment)
    if (used + wide > width && index > start) {
      if (segment === ' ') {
        breakAt(index, index + 1, 0)
        continue
      }
      if (space.at > start) breakAt(space.at, space.at + 1, used - space.used - 1)
      else breakAt(index, index, 0)
    }
    if (segment === ' ') space = { at: index, used }
    used += wide
  }
  return [...lines, line.slice(start)]
}

/** Few characters make up most of a text. */
const widths = new Map<string, number>()
const mostWidths = 10_000

function widthOfOne(character: string): number {
  const known = widths.get(character)
  if (known !== undefined) return known
  if (widths.size >= mostWidths) widths.clear()
  const width = widthOf(character)
  widths.set(character, width)
  return width
}

function untab(line: string): string {
  return line.replaceAll('\t', '    ')
}

export type Tone =
  | 'dim'
  | 'bold'
  | 'italic'
  | 'underline'
  | 'inverse'
  | 'red'
  | 'green'
  | 'yellow'
  | 'blue'
  | 'cyan'
  | 'magenta'

/** Gives a text a tone, or leaves it as it is where colour does not belong. */
export type Paint = (tone: Tone, text: string) => string

/** How a member's condition is shown in one character, and in which tone; the sign alone says it, too. */
export const conditionSigns = {
  asks: ['?', 'yellow'],
  failed: ['✗', 'red'],
  interrupted: ['■', 'yellow'],
  tool: ['»', 'green'],
  thinking: ['●', 'cyan'],
  waiting: ['◌', 'blue'],
  idle: ['○', 'dim'],
  gone: ['·', 'dim'],
} as const satisfies Readonly<Record<string, readonly [sign: string, tone: Tone]>>
