import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { createRequire } from 'node:module'

type Schema = Readonly<Record<string, unknown>>

/** The faults of a value, or null. */
type SchemaCheck = (value: unknown) => readonly string[] | null

const mostProblems = 8
const checks = new WeakMap<Schema, SchemaCheck>()

/**
 * The check of values against a schema that a server wrote, compiled when it is first used.
 * 1. Nothing is fetched, and a schema that cannot be compiled lets everything pass: the server checks as well.
 * 2. A pattern that could take long, and a value that is too deep to be checked, are not looked at.
 */
export function schemaCheck(schema: Schema): SchemaCheck {
  const known = checks.get(schema)
  if (known) return known
  let validate: ValidateFunction | null | undefined
  const check: SchemaCheck = (value) => {
    validate ??= compiled(schema)
    if (validate === null || passes(validate, value)) return null
    return (validate.errors ?? []).slice(0, mostProblems).map(problemText)
  }
  checks.set(schema, check)
  return check
}

/** A schema that refers to itself without end passes everything. */
function passes(validate: ValidateFunction, value: unknown): boolean {
  try {
    return validate(value)
  } catch (error) {
    if (error instanceof RangeError) return true
    throw error
  }
}

function compiled(schema: Schema): ValidateFunction | null {
  try {
    return compile(schema)
  } catch {
    return null
  }
}

function compile(schema: Schema): ValidateFunction {
  const rest = Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema' && key !== '$id'))
  // Loaded with the first call: no first question to a model waits for it.
  const { Ajv2020: Compiler } = createRequire(import.meta.url)('ajv/dist/2020.js') as {
    readonly Ajv2020: typeof Ajv2020
  }
  const ajv = new Compiler({
    strict: false,
    allErrors: true,
    validateFormats: false,
    logger: false,
    code: { regExp: Object.assign(harmless, { code: 'harmless' }) },
  })
  return ajv.compile(rest)
}

/** The longest text that a server's pattern is held against, in characters. */
const longestText = 1_000
const longestPattern = 500

/** The compiler takes two patterns whose `toString` is the same for one. */
function harmless(pattern: string, flags: string): { test(text: string): boolean; toString(): string } {
  const toString = (): string => `/${pattern}/${flags}`
  if (pattern.length > longestPattern || !isQuick(pattern)) return { test: () => true, toString }
  const kept = new RegExp(pattern, flags)
  return { test: (text) => text.length > longestText || kept.test(text), toString }
}

/**
 * Whether a pattern is quick whatever the text: no group is repeated, nothing looks around or back, and at most one
 * part may vary in length, or two where the pattern begins at the start of the text.
 */
function isQuick(pattern: string): boolean {
  if (/\\[1-9k]|\(\?[^:]/.test(pattern)) return false
  const plain = pattern
    .replace(/\\./gs, 'a')
    .replace(/\[[^\]]*\]/g, 'a')
    .replaceAll('(?:', '(')
  if (/\)[+*?{]/.test(plain)) return false
  const varying = plain.match(/[+*?]|\{\d*,\d*\}/g)?.length ?? 0
  return varying <= (plain.startsWith('^') && !plain.includes('|') ? 2 : 1)
}

function problemText({ instancePath, message = 'is wrong', params }: ErrorObject): string {
  const place = instancePath === '' ? '' : `${instancePath.slice(1).replaceAll('/', '.')}: `
  const extra = (params as { readonly additionalProperty?: string }).additionalProperty
  return `${place}${message}${extra === undefined ? '' : ` (${extra})`}`
}
