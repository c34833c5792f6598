import { teamJsonSchema } from '../../adapters/teams/json-schema.ts'
import { teamTestJsonSchema } from '../../adapters/teams/read-team-test.ts'

/** The JSON Schema of a team file, as `troupe schema` prints it. */
export function teamSchema(): Readonly<Record<string, unknown>> {
  return { ...teamJsonSchema() }
}

/** The JSON Schema of a test of a team, as `troupe test --schema` prints it. */
export function teamTestSchemaDocument(): Readonly<Record<string, unknown>> {
  return { ...teamTestJsonSchema() }
}
