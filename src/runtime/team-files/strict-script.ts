import type { JsonSchema } from '../../adapters/teams/json-schema.ts'

/**
 * The JSON Schema of scripts that are right beyond doubt. The build puts it in the place of this module, as it does with
 * that of team files.
 */
export async function strictScript(): Promise<JsonSchema> {
  const [{ scriptSchema }, { strictSchemaOf }] = await Promise.all([
    import('../../adapters/models/scripted/script.ts'),
    import('../../adapters/teams/json-schema.ts'),
  ])
  // Without agents a script is one, too; that is for zod to fill in.
  return strictSchemaOf(scriptSchema.extend({ agents: scriptSchema.shape.agents.unwrap() }))
}
