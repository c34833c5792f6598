import { z } from 'zod'
import { teamFileSchema, workerSchema } from '../../protocol/team/team-card.ts'
import type { KeyPath } from './places.ts'

/** The part of JSON Schema that our own schemas use. */
export interface JsonSchema {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly const?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly propertyNames?: JsonSchema
  readonly minProperties?: number
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly anyOf?: readonly JsonSchema[]
  readonly not?: JsonSchema
}

/** A zod schema of ours as JSON Schema (2020-12), describing what people write. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input' }) as JsonSchema
}

/** The JSON Schema of a team file, for editors: `# yaml-language-server: $schema=…`. */
export function teamJsonSchema(): JsonSchema {
  return withWorkers(jsonSchemaOf(teamFileSchema))
}

/**
 * The JSON Schema of team files that are right beyond doubt: where zod looks for more than JSON Schema can say,
 * nothing fits (`not: {}`).
 */
export function strictTeamSchema(): JsonSchema {
  return withWorkers(strictSchemaOf(teamFileSchema))
}

/** The same for any schema of ours. */
export function strictSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (saysMore(zodSchema)) jsonSchema.not = {}
    },
  }) as JsonSchema
}

/** What JSON Schema says of each kind is all there is to it, but for checks in code. */
const plainKinds = new Set([
  'array',
  'boolean',
  'enum',
  'literal',
  'number',
  'object',
  'optional',
  'record',
  'string',
  'union',
  'unknown',
])

function saysMore(schema: z.core.$ZodType): boolean {
  const { type, checks = [] } = schema._zod.def
  return !plainKinds.has(type) || checks.some((check) => check._zod.def.check === 'custom')
}

/** That there must be one, which zod sees in code. */
function withWorkers(schema: JsonSchema): JsonSchema {
  const said = Object.entries(schema.properties?.['workers'] ?? {}).filter(([word]) => word !== 'not')
  const workers: JsonSchema = { ...Object.fromEntries(said), minProperties: 1 }
  return { ...schema, properties: { ...schema.properties, workers } }
}

/** The JSON Schema of a worker card, the YAML file that `from:` may name. */
export function workerJsonSchema(): JsonSchema {
  return jsonSchemaOf(workerSchema)
}

/** The keys that are allowed at a path: `keysAt(schema, ['workers', 'writer'])`. */
export function schemaKeysAt(schema: JsonSchema, path: KeyPath): readonly string[] {
  let level: readonly JsonSchema[] = [schema]
  for (const segment of path) level = level.flatMap((option) => step(option, segment))
  return level.flatMap((option) => alternatives(option)).flatMap((option) => Object.keys(option.properties ?? {}))
}

function step(schema: JsonSchema, segment: string | number): readonly JsonSchema[] {
  return alternatives(schema).flatMap((option) => {
    if (typeof segment === 'number') return option.items ? [option.items] : []
    const named = option.properties?.[segment]
    if (named) return [named]
    return typeof option.additionalProperties === 'object' ? [option.additionalProperties] : []
  })
}

function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf ?? [schema]
}
