import { ParseError, parseTOML, type AST } from 'toml-eslint-parser'

interface TomlKey {
  readonly path: readonly string[]
  readonly line: number
  /** The line of the table that the key stands in; that of the key outside of all. */
  readonly table: number
}

interface TomlKeys {
  readonly keys: readonly TomlKey[]
  /** Why the file is no TOML, and where. */
  readonly wrong: { readonly message: string; readonly line: number } | null
}

/**
 * The keys of a TOML file with their lines, those of inline tables too. An empty table is a key.
 *
 * @example tomlKeys('[a]\nb = 1').keys // [{ path: ['a', 'b'], line: 2, table: 1 }]
 * @source https://toml.io/en/v1.0.0
 */
export function tomlKeys(text: string): TomlKeys {
  try {
    const [{ body }] = parseTOML(text).body
    return { keys: body.flatMap((each) => (each.type === 'TOMLTable' ? ofTable(each) : ofPair(each, []))), wrong: null }
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    return { keys: [], wrong: { message: `the file is not TOML: ${error.message}`, line: error.lineNumber } }
  }
}

function ofTable({ resolvedKey, body, loc }: AST.TOMLTable): readonly TomlKey[] {
  const path = resolvedKey.filter((each) => typeof each === 'string')
  const { line } = loc.start
  if (body.length === 0) return [{ path, line, table: line }]
  return body.flatMap((each) => ofPair(each, path)).map((key) => ({ ...key, table: line }))
}

function ofPair({ key, value, loc }: AST.TOMLKeyValue, above: readonly string[]): readonly TomlKey[] {
  const path = [...above, ...key.keys.map((each) => (each.type === 'TOMLBare' ? each.name : each.value))]
  const { line } = loc.start
  if (value.type !== 'TOMLInlineTable' || value.body.length === 0) return [{ path, line, table: line }]
  return value.body.flatMap((each) => ofPair(each, path))
}
