import { lineDetail, maxRows, PatternError, type SearchMode, type SearchRow } from './backend.ts'

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

/** The rows of one file, without its path. A file with a zero byte is binary and has none. */
export function scanText(
  bytes: Buffer,
  { regex, mode }: { readonly regex: RegExp; readonly mode: SearchMode },
): readonly Omit<SearchRow, 'path'>[] {
  const text = textOf(bytes)
  if (text === null) return []
  const rows: Omit<SearchRow, 'path'>[] = []
  let count = 0
  for (const [number, line] of linesOf(text)) {
    if (!regex.test(line)) continue
    if (mode === 'files_with_matches') return [{ line: 0, detail: '' }]
    count += 1
    if (mode === 'content' && rows.length <= maxRows) rows.push({ line: number, detail: lineDetail(number, line) })
  }
  return mode === 'count' && count > 0 ? [{ line: 0, detail: `:${count}` }] : rows
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
