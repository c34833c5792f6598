import { isDeepStrictEqual } from 'node:util'
import { Composer, CST, isScalar, isSeq, parse, parseDocument, Parser, stringify } from 'yaml'
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
 * @returns the text, and the values that it has now; one that stands elsewhere, behind an alias, is not among these
 * @example withNewValues('status: failed # now\n', [{ path: ['status'], value: 'completed' }]).text // 'status: completed # now\n'
 */
export function withNewValues<Value extends NewValue>(
  text: string,
  values: readonly Value[],
): { readonly text: string; readonly written: readonly Value[] } {
  const after = values.reduce((now, { path, value }) => {
    return typeof value === 'string' ? withText(now, path, value) : withNames(now, path, value)
  }, text)
  const document: unknown = parse(after)
  return { text: after, written: values.filter(({ path, value }) => isDeepStrictEqual(valueAt(document, path), value)) }
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
  const items = names.map((name) => `- ${name}`).join(`${lineEnd}${' '.repeat(column)}`)
  // The range of a list of lines ends after its last line end.
  const rest = text.slice(end)
  const isFlow = node.flow === true
  return `${text.slice(0, begin)}${isFlow ? `[${names.join(', ')}]` : `${items}${lineEnd}`}${rest}`
}
