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
 * 2. A pattern that could take for ever is not looked at.
 */
export function schemaCheck(schema: Schema): SchemaCheck {
  const known = checks.get(schema)
  if (known) return known
  let validate: ValidateFunction | null | undefined
  const check: SchemaCheck = (value) => {
    validate ??= compiled(schema)
    if (validate === null || validate(value)) return null
    return (validate.errors ?? []).slice(0, mostProblems).map(problemText)
  }
  checks.set(schema, check)
  return check
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

/** A repetition inside of a repetition, or a choice inside of one, makes some texts take for ever. */
const slow = /\([^()]*[+*|{][^()]*\)[+*{]|\((?:[^()]|\([^()]*\))*[+*{](?:[^()]|\([^()]*\))*\)[+*{]|\\\d/

function harmless(pattern: string, flags: string): { test(text: string): boolean } {
  return slow.test(pattern) || pattern.length > 500 ? { test: () => true } : new RegExp(pattern, flags)
}

function problemText({ instancePath, message = 'is wrong', params }: ErrorObject): string {
  const place = instancePath === '' ? '' : `${instancePath.slice(1).replaceAll('/', '.')}: `
  const extra = (params as { readonly additionalProperty?: string }).additionalProperty
  return `${place}${message}${extra === undefined ? '' : ` (${extra})`}`
}
