import { isDeepStrictEqual } from 'node:util'
import { Composer, CST, isScalar, isSeq, parseDocument, Parser, stringify } from 'yaml'
import { valueAt } from './places.ts'

/** A new value for a key of a YAML text, which has one: a text, or a list of names. */
export interface NewValue {
  readonly path: readonly string[]
  readonly value: string | readonly string[]
}

/**
 * A YAML text with other values. All else stays as it was written, to the byte: comments, order, quotes, line ends. Comments
 * inside of a list go with its names.
 *
 * @returns the text, and the values that it has now; one that stands elsewhere, behind an alias, is neither written nor among these
 * @example withNewValues('status: failed # now\n', [{ path: ['status'], value: 'completed' }]).text // 'status: completed # now\n'
 */
export function withNewValues<Value extends NewValue>(
  text: string,
  values: readonly Value[],
): { readonly text: string; readonly written: readonly Value[] } {
  let now = text
  const written = values.filter(({ path, value }) => {
    const after = typeof value === 'string' ? withText(now, path, value) : withNames(now, path, value)
    const document = parseDocument(after)
    if (document.errors.length > 0 || !isDeepStrictEqual(valueAt(document.toJS(), path), value)) return false
    now = after
    return true
  })
  return { text: now, written }
}

function withText(text: string, path: readonly string[], value: string): string {
  const tokens = [...new Parser().parse(text)]
  const [document] = new Composer({ keepSourceTokens: true }).compose(tokens)
  const node = document?.getIn(path, true)
  if (!isScalar(node) || node.srcToken === undefined) return text
  const isBlock = node.srcToken.type === 'block-scalar'
  // A block of no lines is none, and a plain 42 or true is no text.
  const isQuoted = isBlock
    ? value === ''
    : value.includes('\n') || (node.type === 'PLAIN' && /^["']/.test(stringify(value)))
  CST.setScalarValue(node.srcToken, value, { afterKey: true, ...(isQuoted && { type: 'QUOTE_DOUBLE' }) })
  return tokens.map((token) => CST.stringify(token)).join('')
}

function withNames(text: string, path: readonly string[], names: readonly string[]): string {
  const node = parseDocument(text).getIn(path, true)
  if (!isSeq(node) || !node.range) return text
  const [begin, end] = node.range
  const column = begin - (text.lastIndexOf('\n', begin - 1) + 1)
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const [before, rest] = [text.slice(0, begin), text.slice(end)]
  const quoted = names.map((name) =>
    stringify([name], { collectionStyle: 'flow', lineWidth: 0 }).trim().slice(1, -1).trim(),
  )
  if (node.flow === true) return `${before}[${quoted.join(', ')}]${rest}`
  // The range of a list of lines ends after its last line end. A list of no lines is none.
  if (names.length === 0) return `${before.replace(/:\s*$/, ': ')}[]${lineEnd}${rest}`
  return `${before}${quoted.map((name) => `- ${name}`).join(`${lineEnd}${' '.repeat(column)}`)}${lineEnd}${rest}`
}
