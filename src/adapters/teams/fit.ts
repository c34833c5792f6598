import type { JsonSchema } from './json-schema.ts'

/*
 * The short way into a team file. Owns: telling that a value is right, from the JSON Schema alone, in less time than the
 * validator takes to load. Never says that a value is wrong: what does not fit is for zod to judge. Rules:
 * 1. A value that fits is one that zod takes, and comes back as zod gives it: a copy, keys in the schema's order.
 * 2. A word of JSON Schema that is not known here fits nothing.
 */

type Part = (schema: JsonSchema, value: unknown) => unknown

const words = new Set(
  [
    '$schema description type anyOf enum const pattern minLength minimum maximum exclusiveMinimum',
    'properties required additionalProperties propertyNames minProperties items minItems',
  ].flatMap((line) => line.split(' ')),
)

const parts: Readonly<Record<string, Part>> = {
  string: (schema, value) => (typeof value === 'string' && isText(schema, value) ? value : undefined),
  number: (schema, value) => (Number.isFinite(value) && isInRange(schema, Number(value)) ? value : undefined),
  integer: (schema, value) => (Number.isSafeInteger(value) && isInRange(schema, Number(value)) ? value : undefined),
  boolean: (_, value) => (typeof value === 'boolean' ? value : undefined),
  array: (schema, value) => (Array.isArray(value) ? list(schema, value) : undefined),
  object: (schema, value) => (isPlain(value) ? map(schema, value) : undefined),
}

/**
 * A value as its schema wants it; undefined where that cannot be told.
 *
 * @example fit({ type: 'array', items: { type: 'string' } }, ['a']) // ['a']
 */
export function fit(schema: JsonSchema, value: unknown): unknown {
  if (value === undefined || Object.keys(schema).some((word) => !words.has(word))) return undefined
  if (schema.anyOf) return firstOf(schema.anyOf, value)
  // A schema without words takes anything.
  if (schema.type === undefined) return Object.keys(schema).length === 0 ? value : undefined
  return parts[schema.type]?.(schema, value)
}

function firstOf(options: readonly JsonSchema[], value: unknown): unknown {
  for (const option of options) {
    const fitting = fit(option, value)
    if (fitting !== undefined) return fitting
  }
  return undefined
}

function isText({ enum: words, const: word, pattern, minLength = 0 }: JsonSchema, value: string): boolean {
  if (words !== undefined && !words.includes(value)) return false
  if (word !== undefined && word !== value) return false
  return value.length >= minLength && (pattern === undefined || new RegExp(pattern).test(value))
}

function isInRange(schema: JsonSchema, value: number): boolean {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = schema
  return value >= minimum && value <= maximum && value > exclusiveMinimum
}

function list({ items, minItems = 0 }: JsonSchema, value: readonly unknown[]): unknown {
  if (items === undefined || value.length < minItems) return undefined
  const fitting = value.map((item) => fit(items, item))
  return fitting.includes(undefined) ? undefined : fitting
}

function map(schema: JsonSchema, value: Readonly<Record<string, unknown>>): unknown {
  const { properties, required = [], additionalProperties: rest, minProperties = 0 } = schema
  const keys = Object.keys(value)
  if (keys.length < minProperties) return undefined
  if (properties === undefined) return typeof rest === 'object' ? record(schema, rest, value) : undefined
  if (rest !== false || keys.some((key) => !Object.hasOwn(properties, key))) return undefined
  if (required.some((key) => !Object.hasOwn(value, key))) return undefined
  return mapped(
    Object.keys(properties).filter((key) => Object.hasOwn(value, key)),
    (key) => fit(properties[key] ?? {}, value[key]),
  )
}

function record(
  { propertyNames = {} }: JsonSchema,
  rest: JsonSchema,
  value: Readonly<Record<string, unknown>>,
): unknown {
  const keys = Object.keys(value)
  // Such a key would be no key of the copy.
  if (keys.includes('__proto__') || keys.some((key) => fit(propertyNames, key) === undefined)) return undefined
  return mapped(keys, (key) => fit(rest, value[key]))
}

function mapped(keys: readonly string[], part: (key: string) => unknown): unknown {
  const pairs = keys.map((key) => [key, part(key)] as const)
  return pairs.some(([, fitting]) => fitting === undefined) ? undefined : Object.fromEntries(pairs)
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
