import { z } from 'zod'
import { teamFileSchema } from '../../protocol/team/team-card.ts'
import type { KeyPath } from './places.ts'

/** The part of JSON Schema that our own schemas use. */
export interface JsonSchema {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly const?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
}

/** A zod schema of ours as JSON Schema (2020-12), describing what people write. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input' }) as JsonSchema
}

/**
 * The JSON Schema of a team file, for editors: `# yaml-language-server: $schema=…`. The least number of workers stands in
 * it by hand, because zod checks that in code.
 */
export function teamJsonSchema(): JsonSchema {
  const schema = jsonSchemaOf(teamFileSchema)
  const workers = { ...schema.properties?.['workers'], minProperties: 1 }
  return { ...schema, properties: { ...schema.properties, workers } }
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
