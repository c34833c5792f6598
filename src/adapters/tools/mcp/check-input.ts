import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { createRequire } from 'node:module'
import { limited } from '../../process/limited.ts'

type Schema = Readonly<Record<string, unknown>>

/** The faults of a value, or null. */
type SchemaCheck = (value: unknown) => readonly string[] | null

const mostProblems = 8
const checks = new WeakMap<Schema, SchemaCheck>()

/**
 * The check of values against a schema that a server wrote, compiled when it is first used.
 * 1. Nothing is fetched, and a schema that cannot be compiled lets everything pass: the server checks as well.
 * 2. A schema whose check takes too long (patterns, references that multiply) is not checked any more.
 */
export function schemaCheck(schema: Schema): SchemaCheck {
  const known = checks.get(schema)
  if (known) return known
  let validate: ValidateFunction | null | undefined
  let quick = false
  const check: SchemaCheck = (value) => {
    if (validate === undefined) {
      validate = compiled(schema)
      quick = isQuick(schema)
    }
    if (validate === null) return null
    const its = validate
    const faults = (): SchemaFaults => ({ faults: its(value) ? null : (its.errors ?? []) })
    const found = quick && isSmall(value) ? faults() : limited(faults)
    if (found === null) validate = null
    return found?.faults?.slice(0, mostProblems).map(problemText) ?? null
  }
  checks.set(schema, check)
  return check
}

interface SchemaFaults {
  readonly faults: readonly ErrorObject[] | null
}

function compiled(schema: Schema): ValidateFunction | null {
  // Loaded with the first call: no first question to a model waits for it.
  const { Ajv2020: Compiler } = createRequire(import.meta.url)('ajv/dist/2020.js') as {
    readonly Ajv2020: typeof Ajv2020
  }
  try {
    return limited(() => compile(schema, Compiler))
  } catch {
    return null
  }
}

/** Keywords of a schema about itself; `$async` makes of its faults an error that nobody catches. */
const unheard = new Set(['$schema', '$id', '$async'])

function compile(schema: Schema, Compiler: typeof Ajv2020): ValidateFunction {
  const rest = Object.fromEntries(Object.entries(schema).filter(([key]) => !unheard.has(key)))
  // A reference stays one: written out in each place, two lines become millions.
  const ajv = new Compiler({ strict: false, allErrors: true, validateFormats: false, logger: false, inlineRefs: false })
  return ajv.compile(rest)
}

const longestQuick = 20_000
/** Keywords whose check may take longer than the schema and the value are long. */
const slowWords = /"(?:\$ref|\$dynamicRef|\$recursiveRef|pattern|patternProperties|uniqueItems|contains)":/

function isQuick(schema: Schema): boolean {
  const text = JSON.stringify(schema)
  return text.length <= longestQuick && !slowWords.test(text)
}

const mostParts = 5_000

/** Whether a value has so few parts that any schema of the quick kind is done with it at once. */
function isSmall(value: unknown): boolean {
  const parts: unknown[] = [value]
  // The list grows while it is walked.
  for (const part of parts) {
    if (parts.length > mostParts) return false
    if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) parts.push(inner)
  }
  return true
}

function problemText({ instancePath, message = 'is wrong', params }: ErrorObject): string {
  const place = instancePath === '' ? '' : `${instancePath.slice(1).replaceAll('/', '.')}: `
  const extra = (params as { readonly additionalProperty?: string }).additionalProperty
  return `${place}${message}${extra === undefined ? '' : ` (${extra})`}`
}
