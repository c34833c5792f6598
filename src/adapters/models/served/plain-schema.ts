import { isRecord } from '../../../protocol/words/is-record.ts'

type Schema = Readonly<Record<string, unknown>>

const kept = ['description', 'nullable', 'minimum', 'maximum', 'minItems', 'maxItems', 'required']

/**
 * A flat schema in the few words that Gemini knows; it refuses all others. What is lost is a narrower choice, which the
 * tool itself checks.
 *
 * `plainSchema({ const: 'a' })` → `{ type: 'string', enum: ['a'] }`
 *
 * @see https://ai.google.dev/api/caching#Schema
 */
export function plainSchema(schema: Schema): Schema {
  const { properties, items } = schema
  const { types, shapes } = choicesIn(schema)
  const anyOf = shapes.filter(({ type }) => type !== 'null').map(plainSchema)
  const [only, ...others] = types.filter((type) => type !== 'null')
  return {
    ...Object.fromEntries(kept.flatMap((key) => (key in schema ? [[key, schema[key]] as const] : []))),
    ...(only === undefined || others.length > 0 ? {} : { type: only }),
    ...(types.includes('null') || anyOf.length < shapes.length ? { nullable: true } : {}),
    ...textsIn(schema),
    ...(anyOf.length > 0 ? { anyOf } : {}),
    ...(isRecord(items) ? { items: plainSchema(items) } : {}),
    ...(isRecord(properties) ? { properties: mapped(properties) } : {}),
  }
}

/** The types that a schema names, and the shapes it leaves the choice of. */
function choicesIn(schema: Schema): { readonly types: readonly unknown[]; readonly shapes: readonly Schema[] } {
  const { type, anyOf, oneOf } = schema
  const one = 'const' in schema ? typeof schema['const'] : undefined
  const types = [type ?? one ?? []].flat()
  const named = [...listOf(anyOf), ...listOf(oneOf)]
  const several = types.filter((each) => each !== 'null')
  return { types, shapes: named.length === 0 && several.length > 1 ? several.map((each) => ({ type: each })) : named }
}

/** Only texts can be enumerated. */
function textsIn(schema: Schema): Schema {
  const values = 'const' in schema ? [schema['const']] : schema['enum']
  return Array.isArray(values) && values.every((value) => typeof value === 'string') ? { enum: values } : {}
}

function mapped(properties: Schema): Schema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, shape]) => [name, isRecord(shape) ? plainSchema(shape) : {}]),
  )
}

function listOf(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}
