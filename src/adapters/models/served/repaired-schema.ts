import { isRecord } from '../../../protocol/words/is-record.ts'

type Schema = Readonly<Record<string, unknown>>

const types: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])

/**
 * One node of a schema as draft 2020-12 has it. Servers refuse a whole request for one tool that says something else,
 * and tools that others wrote do: older drafts, empty lists for objects, types of other languages.
 *
 * `repaired({ type: 'array' })` → `{ type: 'array', items: {} }`, which OpenAI insists on.
 */
export function repaired(schema: Schema): Schema {
  const fixed: Record<string, unknown> = { ...schema }
  for (const [key, fix] of fixes) if (key in fixed) fix(fixed)
  if ([fixed['type']].flat().includes('array')) fixed['items'] ??= {}
  return fixed
}

type Fix = (schema: Record<string, unknown>) => void

const fixes: readonly (readonly [key: string, fix: Fix])[] = [
  ['type', (schema) => keep(schema, 'type', typeIn(schema['type']))],
  ['properties', (schema) => keep(schema, 'properties', shapesIn(schema['properties']))],
  ['required', (schema) => keep(schema, 'required', requiredIn(schema))],
  ['items', (schema) => keep(schema, 'items', itemsIn(schema['items']))],
  ['additionalItems', (schema) => delete schema['additionalItems']],
  ['enum', (schema) => keep(schema, 'enum', filled(schema['enum']))],
  ['exclusiveMinimum', (schema) => moveEnd(schema, 'minimum', 'exclusiveMinimum')],
  ['exclusiveMaximum', (schema) => moveEnd(schema, 'maximum', 'exclusiveMaximum')],
]

function keep(schema: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) delete schema[key]
  else schema[key] = value
}

function typeIn(type: unknown): unknown {
  if (!Array.isArray(type)) return types.has(type) ? type : undefined
  return filled(type.filter((one) => types.has(one)))
}

function filled(list: unknown): unknown {
  return Array.isArray(list) && list.length > 0 ? list : undefined
}

/** A property that may be anything is written `true` as well. */
function shapesIn(properties: unknown): Schema {
  const shapes = isRecord(properties) ? Object.entries(properties) : []
  return Object.fromEntries(shapes.map(([name, shape]) => [name, isRecord(shape) ? shape : {}]))
}

/** Gemini refuses a name that is required and not described. */
function requiredIn({ properties, required }: Record<string, unknown>): unknown {
  if (!Array.isArray(required)) return undefined
  return isRecord(properties) ? filled(required.filter((name) => String(name) in properties)) : filled(required)
}

/** Kinds by their place, as older drafts had them, become one of these kinds. */
function itemsIn(items: unknown): unknown {
  if (!Array.isArray(items)) return isRecord(items) ? items : {}
  const kinds = items.filter((item) => isRecord(item))
  return kinds.length > 1 ? { anyOf: kinds } : (kinds[0] ?? {})
}

/** Draft 4 said whether the end is included; now it is the end itself. */
function moveEnd(schema: Record<string, unknown>, end: string, exclusive: string): void {
  if (typeof schema[exclusive] !== 'boolean') return
  const isOut = schema[exclusive] && typeof schema[end] === 'number'
  keep(schema, exclusive, isOut ? schema[end] : undefined)
  if (isOut) delete schema[end]
}
