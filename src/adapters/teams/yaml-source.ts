import { isScalar, LineCounter, parseAllDocuments, visit, type Document } from 'yaml'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import {
  findPlace,
  placeAt,
  start,
  textsAt,
  type KeyPath,
  type PlacedText,
  type PlacedValue,
  type TextPlace,
} from './places.ts'

/** A parsed YAML text: its value, every mistake of form, and the way back from a path to a place. */
export interface YamlSource extends PlacedValue {
  readonly diagnostics: readonly Diagnostic[]
  /** The value can be relied upon: nothing but repeated keys and unknown tags is wrong. */
  readonly sound: boolean
  /** The texts of the list at a path; where a key is there twice, those of both. Works on unsound files, too. */
  texts(path: KeyPath): readonly PlacedText[]
}

const maxSyntaxErrors = 10
const maxAliases = 100

const codes: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'tab_indentation',
  DUPLICATE_KEY: 'duplicate_key',
  RESOURCE_EXHAUSTION: 'too_deep',
  TAG_RESOLVE_FAILED: 'unknown_tag',
}

const hints: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'indent with spaces',
  DUPLICATE_KEY: 'keep one of the two',
  BLOCK_AS_IMPLICIT_KEY: 'a value that holds ": " needs quotes: key: "some text: more text"',
}

/**
 * Parses one YAML document and keeps its positions. Nothing is thrown: aliases that grow without end,
 * nesting without end and several documents are mistakes like any other.
 *
 * @param where the line of the file at which `text` begins (frontmatter begins at 2), and the schema: under `failsafe` every
 *   value is a text
 */
export function parseYaml(
  file: string,
  text: string,
  { firstLine = 1, schema = 'core' }: { readonly firstLine?: number; readonly schema?: 'core' | 'failsafe' } = {},
): YamlSource {
  const lines = new LineCounter()
  const shift = ({ line, column }: TextPlace): TextPlace => ({ line: line + firstLine - 1, column })
  const documents = parseAllDocuments(text, { schema, lineCounter: lines, prettyErrors: false, logLevel: 'silent' })
  const doc = Array.isArray(documents) ? documents[0] : undefined
  if (!doc) {
    const empty: Diagnostic = { ...mistake('empty_file', 'the file is empty'), file, ...shift(start) }
    return { file, value: undefined, diagnostics: [empty], sound: false, place: () => shift(start), texts: () => [] }
  }
  const { value, mistakes } = valueOf(doc)
  const diagnostics = [...syntaxMistakes(doc), ...extraDocument(documents[1]), ...mistakes].map(
    ({ position, first, message, ...found }): Diagnostic => ({
      ...found,
      message:
        first === null || first === undefined
          ? message
          : `${message}; line ${shift(placeAt(first, lines)).line} has it, too`,
      file,
      ...shift(placeAt(position, lines)),
    }),
  )
  return {
    file,
    value,
    diagnostics,
    sound: diagnostics.every(({ code }) => code === 'duplicate_key' || code === 'unknown_tag'),
    place: (path, part = 'value') => shift(findPlace({ doc, lines }, path, part)),
    texts: (path) => textsAt({ doc, lines }, path).map((found) => ({ ...found, ...shift(found) })),
  }
}

type Mistake = Omit<Diagnostic, 'file' | 'line' | 'column'>
/** `first`: where the same key stands before. */
type PlacedMistake = Mistake & { readonly position: number; readonly first?: number | null }

function mistake(code: string, message: string): Mistake {
  return { severity: 'error', code, message }
}

function syntaxMistakes(doc: Document): readonly PlacedMistake[] {
  const exhausted = doc.errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION')
  // After a first error the parser also complains that it had to close what was open.
  const own = doc.errors.filter((error, index) => index === 0 || !error.message.includes('flow-error-end'))
  const errors = exhausted ? [exhausted] : own.slice(0, maxSyntaxErrors)
  return [...errors, ...(exhausted ? [] : doc.warnings)].map((error) => {
    const hint = hints[error.code]
    return {
      severity: error.name === 'YAMLWarning' ? 'warning' : 'error',
      code: codes[error.code] ?? 'yaml_syntax',
      message: error.message,
      position: error.pos[0],
      ...(error.code === 'DUPLICATE_KEY' ? { first: firstKeyAs(doc, error.pos[0]) } : {}),
      ...(hint === undefined ? {} : { hint }),
    }
  })
}

/** The position of the first key of the same name in the same map. */
function firstKeyAs(doc: Document, position: number): number | null {
  let found: number | null = null
  visit(doc, {
    Map: (_, { items }) => {
      const keys = items.flatMap(({ key }) => (isScalar(key) ? [key] : []))
      const name = keys.find(({ range }) => range?.[0] === position)?.value
      const first = name === undefined ? undefined : keys.find(({ value }) => value === name)?.range?.[0]
      if (first === undefined || first === position) return undefined
      found = first
      return visit.BREAK
    },
  })
  return found
}

function extraDocument(second: Document.Parsed | undefined): readonly PlacedMistake[] {
  if (!second) return []
  const message = 'one file holds one document; a second one begins here'
  return [{ ...mistake('multiple_documents', message), position: second.range[0] }]
}

function valueOf(doc: Document): { readonly value: unknown; readonly mistakes: readonly PlacedMistake[] } {
  try {
    return { value: doc.toJS({ maxAliasCount: maxAliases }), mistakes: [] }
  } catch (error) {
    return { value: undefined, mistakes: [{ ...noValue(error), position: firstAlias(doc) }] }
  }
}

function noValue(error: unknown): Mistake {
  const message = errorText(error)
  if (error instanceof RangeError) return mistake('too_deep', 'the nesting is too deep')
  if (message.startsWith('Excessive')) return mistake('alias_bomb', 'the aliases grow the file beyond reason')
  return mistake('yaml_syntax', message)
}

function firstAlias(doc: Document): number {
  let position = 0
  visit(doc, {
    Alias: (_, alias) => {
      position = alias.range?.[0] ?? 0
      return visit.BREAK
    },
  })
  return position
}
