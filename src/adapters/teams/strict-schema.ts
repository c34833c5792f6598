import type { JsonSchema } from './json-schema.ts'

/**
 * The JSON Schema of team files that are right beyond doubt. The build puts it in the place of this module, so that the
 * package need not make it.
 */
export async function strictSchema(): Promise<JsonSchema> {
  const { strictTeamSchema } = await import('./json-schema.ts')
  return strictTeamSchema()
}
