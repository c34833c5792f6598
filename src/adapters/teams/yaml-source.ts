import { LineCounter, parseAllDocuments, visit, type Document, type YAMLError } from 'yaml'
import type { Diagnostic } from '../../protocol/diagnostic.ts'
import { findPlace, start, type KeyPath, type Place } from './places.ts'

/** A parsed YAML text: its value, every mistake of form, and the way back from a path to a place. */
export interface YamlSource {
  readonly file: string
  readonly value: unknown
  readonly diagnostics: readonly Diagnostic[]
  /** The value can be relied upon: nothing but repeated keys and unknown tags is wrong. */
  readonly sound: boolean
  place(path: KeyPath, part?: 'key' | 'value'): Place
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
 * @param firstLine the line of the file at which `text` begins (frontmatter begins at 2)
 */
export function parseYaml(file: string, text: string, firstLine = 1): YamlSource {
  const lines = new LineCounter()
  const shift = ({ line, column }: Place): Place => ({ line: line + firstLine - 1, column })
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' })
  const doc = Array.isArray(documents) ? documents[0] : undefined
  const at = (position: number): Place => {
    const { line, col } = lines.linePos(position)
    return shift({ line: Math.max(line, 1), column: Math.max(col, 1) })
  }
  const complain = (code: string, message: string, place: Place, hint?: string): Diagnostic => ({
    severity: 'error',
    code,
    message,
    file,
    ...place,
    ...(hint === undefined ? {} : { hint }),
  })
  if (!doc) {
    const empty = complain('empty_file', 'the file is empty', shift(start))
    return { file, value: undefined, diagnostics: [empty], sound: false, place: () => shift(start) }
  }
  const diagnostics = syntaxErrors(doc).map((error) => ({
    ...complain(codes[error.code] ?? 'yaml_syntax', error.message, at(error.pos[0]), hints[error.code]),
    severity: error.name === 'YAMLWarning' ? ('warning' as const) : ('error' as const),
  }))
  const second = documents[1]
  if (second) {
    const place = at(second.range[0])
    diagnostics.push(complain('multiple_documents', 'one file holds one document; a second one begins here', place))
  }
  const read = valueOf(doc)
  if ('fault' in read) diagnostics.push(complain(read.code, read.fault, at(firstAlias(doc))))
  return {
    file,
    value: 'value' in read ? read.value : undefined,
    diagnostics,
    sound: diagnostics.every(({ code }) => code === 'duplicate_key' || code === 'unknown_tag'),
    place: (path, part = 'value') => shift(findPlace(doc, lines, path, part)),
  }
}

function syntaxErrors(doc: Document): readonly YAMLError[] {
  const exhausted = doc.errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION')
  return exhausted ? [exhausted] : [...doc.errors.slice(0, maxSyntaxErrors), ...doc.warnings]
}

function valueOf(doc: Document): { readonly value: unknown } | { readonly code: string; readonly fault: string } {
  try {
    return { value: doc.toJS({ maxAliasCount: maxAliases }) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof RangeError) return { code: 'too_deep', fault: 'the nesting is too deep' }
    if (message.startsWith('Excessive')) return { code: 'alias_bomb', fault: 'the aliases grow the file beyond reason' }
    return { code: 'yaml_syntax', fault: message }
  }
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
