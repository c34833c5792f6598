import { basename } from 'node:path'
import { systemClock } from '../../../runtime/clock.ts'
import { stopRun } from '../../../runtime/stop-run.ts'
import { exitCodes, type ExitCode } from '../exit-codes.ts'
import { print, type Host } from '../host.ts'
import { runDirectoryOf } from '../run-choice.ts'

export interface StopOptions {
  readonly reason?: string | undefined
  readonly cwd?: string | undefined
}

const said = {
  ended: 'it ended in order',
  killed: 'its leader did not end and was killed',
  gone: 'its leader was gone already',
} as const

/** Stops a run for good. */
export async function stop(name: string, options: StopOptions, host: Host): Promise<ExitCode> {
  const dir = runDirectoryOf(name, options, host)
  const done = await stopRun(dir, { clock: systemClock(), reason: options.reason ?? 'troupe stop' })
  await print(host.stdout, `${basename(dir)} is stopped: ${said[done]}\n`)
  return exitCodes.done
}
