import { Composer, CST, isScalar, isSeq, parseDocument, Parser } from 'yaml'

/** A new value for a key of a YAML text, which has one: a text, or a list of names. */
export interface NewValue {
  readonly path: readonly string[]
  readonly value: string | readonly string[]
}

/**
 * A YAML text with other values. All else stays as it was written, to the byte: comments, order, quotes, line ends.
 *
 * @returns the text; a value without a place in it is passed over
 * @example withNewValues('status: failed # now\n', [{ path: ['status'], value: 'completed' }]) // 'status: completed # now\n'
 */
export function withNewValues(text: string, values: readonly NewValue[]): string {
  return values.reduce((written, { path, value }) => {
    return typeof value === 'string' ? withText(written, path, value) : withNames(written, path, value)
  }, text)
}

function withText(text: string, path: readonly string[], value: string): string {
  const tokens = [...new Parser().parse(text)]
  const [document] = new Composer({ keepSourceTokens: true }).compose(tokens)
  const node = document?.getIn(path, true)
  if (!isScalar(node) || node.srcToken === undefined) return text
  const isBlock = node.srcToken.type === 'block-scalar'
  const lines = value.includes('\n') && !isBlock ? ({ type: 'QUOTE_DOUBLE' } as const) : {}
  CST.setScalarValue(node.srcToken, value, { afterKey: true, ...lines })
  return tokens.map((token) => CST.stringify(token)).join('')
}

function withNames(text: string, path: readonly string[], names: readonly string[]): string {
  const node = parseDocument(text).getIn(path, true)
  if (!isSeq(node) || !node.range) return text
  const [begin, end] = node.range
  const column = begin - (text.lastIndexOf('\n', begin - 1) + 1)
  const items = names.map((name) => `- ${name}`).join(`\n${' '.repeat(column)}`)
  // The range of a list of lines ends after its last line end.
  const rest = text.slice(end)
  const isFlow = node.flow === true
  return `${text.slice(0, begin)}${isFlow ? `[${names.join(', ')}]` : `${items}\n`}${rest}`
}
