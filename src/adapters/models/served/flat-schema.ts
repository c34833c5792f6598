import { repaired } from './repaired-schema.ts'
import { isRecord } from '../../../protocol/words/is-record.ts'

type Schema = Readonly<Record<string, unknown>>

const dropped = new Set(['$schema', '$id', '$defs', 'definitions', '$comment', '$anchor', '$ref', 'allOf'])
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas'])
const lists = new Set(['anyOf', 'oneOf', 'prefixItems'])
const inners = new Set(['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'])

/** References that grow beyond this are cut off: a schema is read by a model, not only by a machine. */
const mostNodes = 5_000

interface Walk {
  readonly root: Schema
  /** References that are being followed: one that comes back to itself is cut. */
  readonly open: ReadonlySet<string>
  readonly count: { nodes: number }
}

/**
 * A tool's parameters as vendors take them: `$ref` and `$defs` written out, `allOf` merged, one object at the top.
 * A reference into itself ends in "anything" where it comes round; what is no schema is made one.
 *
 * @param schema JSON Schema, as a tool or an MCP server gave it
 */
export function flatSchema(schema: Schema): Schema {
  const known = written.get(schema) ?? writtenOut(schema)
  written.set(schema, known)
  return known
}

/** Tools keep their schemas from request to request. */
const written = new WeakMap<Schema, Schema>()

function writtenOut(schema: Schema): Schema {
  const flat = flattened(schema, { root: schema, open: new Set(), count: { nodes: 0 } })
  const { anyOf, oneOf, ...rest } = flat
  const branches = [...listOf(anyOf), ...listOf(oneOf)]
  const whole = branches.length === 0 ? rest : merged(rest, eitherOf(branches))
  return { ...whole, type: 'object', properties: whole['properties'] ?? {} }
}

function flattened(schema: Schema, walk: Walk): Schema {
  walk.count.nodes += 1
  if (walk.count.nodes > mostNodes) return {}
  const ref = schema['$ref']
  const base = typeof ref === 'string' ? followed(ref, walk) : {}
  const own = Object.entries(schema)
    .filter(([key]) => !dropped.has(key))
    .map(([key, value]) => [key, inside(key, value, walk)] as const)
  const parts = listOf(schema['allOf']).map((part) => flattened(part, walk))
  return repaired([...parts, Object.fromEntries(own)].reduce(merged, base))
}

function inside(key: string, value: unknown, walk: Walk): unknown {
  if (maps.has(key) && isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, isRecord(inner) ? flattened(inner, walk) : inner]),
    )
  }
  if ((lists.has(key) || inners.has(key)) && Array.isArray(value)) {
    return value.map((inner: unknown) => (isRecord(inner) ? flattened(inner, walk) : inner))
  }
  return inners.has(key) && isRecord(value) ? flattened(value, walk) : value
}

/** Only references into the schema itself can be followed; what another points to may be anything. */
function followed(ref: string, walk: Walk): Schema {
  if (walk.open.has(ref)) return {}
  const target = ref.startsWith('#') ? at(walk.root, ref) : undefined
  return isRecord(target) ? flattened(target, { ...walk, open: new Set([...walk.open, ref]) }) : {}
}

function at(root: Schema, ref: string): unknown {
  let place: unknown = root
  for (const step of ref.split('/').slice(1)) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~')
    place =
      typeof place === 'object' && place !== null && Object.hasOwn(place, key) ? (place as Schema)[key] : undefined
  }
  return place
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    // A server may write anything: what is no code is text.
    return step
  }
}

/** Both at once: their properties and requirements together, else the second's word. */
function merged(first: Schema, second: Schema): Schema {
  const properties = isRecord(first['properties']) && isRecord(second['properties'])
  return {
    ...first,
    ...second,
    ...(properties ? { properties: { ...(first['properties'] as Schema), ...(second['properties'] as Schema) } } : {}),
    ...(first['required'] && second['required']
      ? { required: [...new Set([...namesIn(first), ...namesIn(second)])] }
      : {}),
  }
}

/** One of several shapes as one: every property of any of them, required what all of them require. */
function eitherOf(branches: readonly Schema[]): Schema {
  const shapes = new Map<string, Map<string, unknown>>()
  for (const branch of branches) {
    for (const [name, schema] of Object.entries((branch['properties'] ?? {}) as Schema)) {
      const seen = shapes.get(name) ?? new Map<string, unknown>()
      shapes.set(name, seen.set(JSON.stringify(schema), schema))
    }
  }
  const properties = Object.fromEntries(
    [...shapes].map(([name, seen]) => [name, seen.size === 1 ? [...seen.values()][0] : { anyOf: [...seen.values()] }]),
  )
  const [first = [], ...others] = branches.map(namesIn)
  const required = first.filter((name) => others.every((names) => names.includes(name)))
  return { properties, ...(required.length === 0 ? {} : { required }) }
}

function namesIn(schema: Schema): readonly string[] {
  return Array.isArray(schema['required']) ? (schema['required'] as string[]) : []
}

function listOf(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}
