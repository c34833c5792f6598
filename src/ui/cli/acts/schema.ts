import { teamSchema } from '../../../runtime/team-schema.ts'
import { exitCodes, type ExitCode } from '../exit-codes.ts'
import { printJson, type Host } from '../host.ts'

/** Prints the JSON Schema of team files. */
export async function schema(host: Host): Promise<ExitCode> {
  await printJson(host.stdout, teamSchema())
  return exitCodes.done
}
