import { teamJsonSchema } from '../../adapters/teams/json-schema.ts'

/** The JSON Schema of a team file, as `troupe schema` prints it. */
export function teamSchema(): Readonly<Record<string, unknown>> {
  return { ...teamJsonSchema() }
}
