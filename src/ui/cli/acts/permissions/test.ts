import { judgeLines } from '../../../../runtime/permissions/judge-stream.ts'
import { exitCodes, type ExitCode } from '../../host/exit-codes.ts'
import { print, type Host } from '../../host/host.ts'
import { permissionPlace, type PlaceOptions } from './rules.ts'

/**
 * Answers JSON lines from stdin with JSON lines on stdout as they come; 2 when some line was no call. A slow reader slows
 * the judging down: what waits to be read never grows.
 */
export async function permissionsTest(options: PlaceOptions, host: Host): Promise<ExitCode> {
  host.stdin.setEncoding('utf8')
  const { mistakes } = await judgeLines(host.stdin as AsyncIterable<string>, permissionPlace(options, host), (text) =>
    print(host.stdout, text),
  )
  if (mistakes === 0) return exitCodes.done
  host.stderr.write(`error: ${mistakes} of the lines were no calls; they were answered with deny\n`)
  return exitCodes.usage
}
