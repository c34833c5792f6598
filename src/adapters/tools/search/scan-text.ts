import { lineDetail, maxRows, PatternError, type SearchMode, type SearchQuery, type SearchRow } from './backend.ts'

/**
 * Makes a line pattern out of what models write for ripgrep: flags in front such as `(?i)` are understood.
 *
 * @throws PatternError
 * @example toRegExp('(?i)error', false).test('Error') // true
 */
export function toRegExp(pattern: string, ignoreCase: boolean): RegExp {
  const [, flags = '', body = ''] = /^(?:\(\?([ims]+)\))?(.*)$/s.exec(pattern) ?? []
  const wanted = [...new Set(`${flags}${ignoreCase ? 'i' : ''}`)].join('')
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
    throw new PatternError(
      error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error),
    )
  }
}

export interface Scan {
  readonly regex: RegExp
  readonly mode: SearchMode
  readonly around?: SearchQuery['around'] | undefined
}

type Row = Omit<SearchRow, 'path'>

/** The rows of one file, without its path. A file with a zero byte is binary and has none. */
export function scanText(bytes: Buffer, { regex, mode, around }: Scan): readonly Row[] {
  const text = textOf(bytes)
  if (text === null) return []
  if (mode === 'content') return contentRows(linesOf(text), regex, around ?? { before: 0, after: 0 })
  let count = 0
  for (const [, line] of linesOf(text)) {
    if (!regex.test(line)) continue
    if (mode === 'files_with_matches') return [{ line: 0, detail: '' }]
    count += 1
  }
  return count > 0 ? [{ line: 0, detail: `:${count}` }] : []
}

function contentRows(
  lines: Iterable<readonly [number, string]>,
  regex: RegExp,
  { before, after }: NonNullable<SearchQuery['around']>,
): readonly Row[] {
  const rows: Row[] = []
  let earlier: Row[] = []
  let owed = 0
  for (const [number, line] of lines) {
    if (rows.length > maxRows) break
    if (regex.test(line)) {
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
