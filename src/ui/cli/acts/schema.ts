import { teamSchema } from '../../../runtime/team-files/team-schema.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { printJson, type Host } from '../host/host.ts'

/** Prints the JSON Schema of team files. */
export async function schema(host: Host): Promise<ExitCode> {
  await printJson(host.stdout, teamSchema())
  return exitCodes.done
}
