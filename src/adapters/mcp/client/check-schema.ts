import { isRecord } from '../../../protocol/words/is-record.ts'

/** Depth after which a schema is taken for an attack. */
const deepest = 60

const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])
const holders = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'] as const
const single = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'] as const
const several = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const

/**
 * The fault of a JSON Schema, as far as it can be seen without compiling it; null when it looks like one. Whether
 * it can be compiled is found out when its tool is first called: servers come with thousands of them.
 *
 * @example schemaFault({ type: 'objekt' }) // 'type "objekt" is none'
 */
export function schemaFault(schema: unknown, depth = 0): string | null {
  if (typeof schema === 'boolean') return null
  if (!isRecord(schema)) return 'a part of its schema is no schema'
  if (depth > deepest) return `its schema is more than ${deepest} levels deep`
  const wrong = wrongKeyword(schema)
  if (wrong !== null) return wrong
  for (const part of innerSchemas(schema)) {
    const fault = schemaFault(part, depth + 1)
    if (fault !== null) return fault
  }
  return null
}

function wrongKeyword(parts: Readonly<Record<string, unknown>>): string | null {
  const { type, required, $ref: ref } = parts
  for (const each of type === undefined ? [] : [type].flat()) {
    if (typeof each !== 'string' || !types.has(each)) return `type ${JSON.stringify(each)?.slice(0, 40)} is none`
  }
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === 'string')))
    return '`required` is no list of names'
  // One that lies elsewhere would have to be fetched: nobody does that for a server.
  if (ref !== undefined && !(typeof ref === 'string' && ref.startsWith('#'))) return 'it refers to a schema elsewhere'
  const wrong = holders.find((key) => parts[key] !== undefined && !isRecord(parts[key]))
  return wrong === undefined ? null : `\`${wrong}\` holds no schemas`
}

function innerSchemas(parts: Readonly<Record<string, unknown>>): readonly unknown[] {
  return [
    ...holders.flatMap((key) => Object.values((parts[key] as Readonly<Record<string, unknown>> | undefined) ?? {})),
    ...single.flatMap((key) => (parts[key] === undefined ? [] : [parts[key]].flat())),
    ...several.flatMap((key) => (parts[key] === undefined ? [] : [parts[key]].flat())),
  ]
}
