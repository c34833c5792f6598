import type { Coercion } from '../../protocol/tools/call-fact.ts'

/** A JSON Schema as far as it is looked at here. */
type Schema = Readonly<Record<string, unknown>>

type Reading = (value: unknown) => unknown

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  '1': true,
  false: false,
  no: false,
  '0': false,
}

/** One row per declared type: what a value of another type is read as, or undefined when it cannot be. */
const readings: Readonly<Record<string, Reading>> = {
  boolean: (value) => {
    const key = String(value).trim().toLowerCase()
    return typeof value !== 'object' && Object.hasOwn(truths, key) ? truths[key] : undefined
  },
  integer: (value) => {
    const read = readNumber(value)
    return Number.isSafeInteger(read) ? read : undefined
  },
  number: (value) => readNumber(value),
  array: (value) => readJson(value, 'array'),
  object: (value) => readJson(value, 'object'),
  string: (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined),
}

/**
 * Reads arguments of the wrong type as the declared one, where only one meaning is possible: `"yes"` as true, `"12"` as
 * 12, `"[1]"` as a list, 12 as `"12"`. It looks at the arguments themselves and at the elements of a list of numbers, never
 * deeper, and leaves alone what has a declared type already. Null for an argument that may be missing means missing.
 *
 * @param schema JSON Schema of the whole input, without references.
 * @returns the input with what was changed, or null when nothing could be
 * @example coerceInput({ limit: '5' }, { properties: { limit: { type: 'integer' } } })
 * // { input: { limit: 5 }, changes: [{ field: 'limit', from: 'string', to: 'integer' }] }
 */
export function coerceInput(
  input: unknown,
  schema: Schema,
): { readonly input: unknown; readonly changes: readonly Coercion[] } | null {
  const whole = isRecord(input) ? input : readJson(input, 'object')
  if (!isRecord(whole)) return null
  const changes: Coercion[] = whole === input ? [] : [{ field: '', from: typeOf(input), to: 'object' }]
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const entries = Object.entries(whole).flatMap(([field, value]): [string, unknown][] => {
    const declared = Object.hasOwn(properties, field) ? typesOf(properties[field]) : []
    const from = typeOf(value)
    const numbers = numbersIn(value, properties[field])
    if (numbers) {
      changes.push({ field, from, to: 'array' })
      return [[field, numbers]]
    }
    if (declared.length === 0 || fits(value, declared)) return [[field, value]]
    if (value === null && !required.includes(field)) {
      changes.push({ field, from, to: 'missing' })
      return []
    }
    for (const to of declared) {
      const read = Object.hasOwn(readings, to) ? readings[to]?.(value) : undefined
      if (read === undefined) continue
      changes.push({ field, from, to })
      return [[field, read]]
    }
    return [[field, value]]
  })
  return changes.length === 0 ? null : { input: Object.fromEntries(entries), changes }
}

/** `["1", "2"]` or `"1"` where a list of numbers belongs, as one; undefined when it is one, or cannot be. */
function numbersIn(value: unknown, schema: unknown): readonly unknown[] | undefined {
  const items = isRecord(schema) && schema['type'] === 'array' ? typesOf(schema['items']) : []
  const [type = ''] = items
  if (items.length !== 1 || !(type === 'integer' || type === 'number')) return undefined
  const all: readonly unknown[] = Array.isArray(value) ? value : [value]
  const read = all.map((one) => (fits(one, items) ? one : readings[type]?.(one)))
  if (read.includes(undefined)) return undefined
  return Array.isArray(value) && read.every((one, index) => one === value[index]) ? undefined : read
}

/** The types that a property declares, in its own order; none when it cannot be said. */
function typesOf(schema: unknown): readonly string[] {
  if (!isRecord(schema)) return []
  const { type, anyOf, oneOf, enum: values } = schema
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type.filter((each) => typeof each === 'string')
  if (Array.isArray(values)) return [...new Set(values.map(typeOf))]
  const branches = anyOf ?? oneOf
  return Array.isArray(branches) ? branches.flatMap(typesOf) : []
}

function fits(value: unknown, declared: readonly string[]): boolean {
  const type = typeOf(value)
  return declared.includes(type) || (type === 'integer' && declared.includes('number'))
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isSafeInteger(value) ? 'integer' : typeof value
}

/** Plain decimal spellings only: an empty text is no zero, `0x10` is no number. */
function readNumber(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) return undefined
  const read = Number(value)
  return Number.isFinite(read) ? read : undefined
}

function readJson(value: unknown, wanted: 'array' | 'object'): unknown {
  if (typeof value !== 'string') return undefined
  try {
    const read: unknown = JSON.parse(value)
    return typeOf(read) === wanted ? read : undefined
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeOf(value) === 'object'
}
