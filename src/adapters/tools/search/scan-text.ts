import { errorText } from '../../../protocol/words/error-text.ts'
import { lineDetail, maxRows, PatternError, type SearchMode, type SearchQuery, type SearchRow } from './backend.ts'

/**
 * Makes a pattern out of what models write for ripgrep: flags in front such as `(?i)` are understood.
 *
 * @param multiline for a whole text instead of one line
 * @throws PatternError
 * @example toRegExp('(?i)error', false).test('Error') // true
 */
export function toRegExp(pattern: string, ignoreCase: boolean, multiline = false): RegExp {
  const [, flags = '', body = ''] = /^(?:\(\?([ims]+)\))?(.*)$/s.exec(pattern) ?? []
  const wanted = [...new Set(`${flags}${ignoreCase ? 'i' : ''}${multiline ? 'gms' : ''}`)].join('')
  try {
    return new RegExp(body, `${wanted}u`)
  } catch {
    return withoutUnicode(body, wanted)
  }
}

/** Escapes that mean nothing, such as `\-`, are an error with the `u` flag only. */
function withoutUnicode(body: string, flags: string): RegExp {
  try {
    return new RegExp(body, flags)
  } catch (error) {
    throw new PatternError(errorText(error).replace(/^Invalid regular expression: /, ''))
  }
}

export interface Scan {
  readonly regex: RegExp
  readonly mode: SearchMode
  readonly around?: SearchQuery['around'] | undefined
  /** The pattern is one for the whole text. */
  readonly multiline?: boolean
}

type Row = Omit<SearchRow, 'path'>

/** The rows of one file, without its path. A file with a zero byte is binary and has none. */
export function scanText(bytes: Buffer, { regex, mode, around, multiline = false }: Scan): readonly Row[] {
  const text = textOf(bytes)
  if (text === null) return []
  const bounds = around ?? { before: 0, after: 0 }
  if (multiline) return placeRows(text, placesOf(text, regex), { mode, ...bounds })
  if (mode === 'content') return contentRows(linesOf(text), (_, line) => regex.test(line), bounds)
  let count = 0
  for (const [, line] of linesOf(text)) {
    if (!regex.test(line)) continue
    if (mode === 'files_with_matches') return [{ line: 0, detail: '' }]
    count += 1
  }
  return count > 0 ? [{ line: 0, detail: `:${count}` }] : []
}

/** Lines from and to which a match goes, in order; matches that share a line are one. */
type Place = readonly [first: number, last: number]

function placesOf(text: string, regex: RegExp): readonly Place[] {
  const places: Place[] = []
  let [line, at] = [1, 0]
  const lineAt = (index: number): number => {
    for (let end = text.indexOf('\n', at); end !== -1 && end < index; end = text.indexOf('\n', at)) {
      line += 1
      at = end + 1
    }
    return line
  }
  for (const { 0: match, index } of text.matchAll(regex)) {
    // Behind the last line end there is no line.
    if (index === text.length && (text === '' || text.endsWith('\n'))) break
    const [first, last] = [lineAt(index), lineAt(Math.max(index, index + match.length - 1))]
    const before = places.at(-1)
    if (before !== undefined && before[1] >= first) places[places.length - 1] = [before[0], last]
    else places.push([first, last])
  }
  return places
}

function placeRows(
  text: string,
  places: readonly Place[],
  { mode, ...around }: { readonly mode: SearchMode } & NonNullable<SearchQuery['around']>,
): readonly Row[] {
  if (places.length === 0) return []
  const touched = places.reduce((sum, [first, last]) => sum + last - first + 1, 0)
  if (mode !== 'content') return [{ line: 0, detail: mode === 'count' ? `:${touched}` : '' }]
  let next = 0
  return contentRows(
    linesOf(text),
    (number) => {
      while (number > (places[next]?.[1] ?? Infinity)) next += 1
      return number >= (places[next]?.[0] ?? Infinity)
    },
    around,
  )
}

function contentRows(
  lines: Iterable<readonly [number, string]>,
  hits: (number: number, line: string) => boolean,
  { before, after }: NonNullable<SearchQuery['around']>,
): readonly Row[] {
  const rows: Row[] = []
  let earlier: Row[] = []
  let owed = 0
  for (const [number, line] of lines) {
    if (rows.length > maxRows) break
    if (hits(number, line)) {
      rows.push(...earlier, { line: number, detail: lineDetail(number, line) })
      earlier = []
      owed = after
    } else if (owed > 0) {
      rows.push({ line: number, detail: lineDetail(number, line, '-') })
      owed -= 1
    } else if (before > 0) {
      earlier = [...earlier, { line: number, detail: lineDetail(number, line, '-') }].slice(-before)
    }
  }
  return rows
}

function* linesOf(text: string): Generator<readonly [number, string]> {
  let number = 0
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from)
    const to = end === -1 ? text.length : end
    number += 1
    yield [number, text.slice(from, text[to - 1] === '\r' && to > from ? to - 1 : to)]
    from = to + 1
  }
}

function textOf(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return bytes.includes(0) ? null : new TextDecoder().decode(bytes)
}
