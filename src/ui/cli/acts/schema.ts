import { teamSchema } from '../../../runtime/team-schema.ts'
import { exitCodes, type ExitCode } from '../exit-codes.ts'
import { print, type Host } from '../host.ts'

/** Prints the JSON Schema of team files. */
export async function schema(host: Host): Promise<ExitCode> {
  await print(host.stdout, `${JSON.stringify(teamSchema(), null, 2)}\n`)
  return exitCodes.done
}
