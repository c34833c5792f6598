import { basename } from 'node:path'
import { stopRun } from '../../../runtime/upkeep/stop-run.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { print, type Host } from '../host/host.ts'
import { runDirectoryOf, type RunChoice } from '../runs/run-choice.ts'

export interface StopOptions extends RunChoice {
  readonly reason?: string | undefined
}

const said = {
  ended: 'it ended in order',
  killed: 'its leader did not end and was killed',
  gone: 'its leader was gone already',
} as const

/** Stops a run for good. */
export async function stop(name: string, options: StopOptions, host: Host): Promise<ExitCode> {
  const dir = runDirectoryOf(name, options, host)
  const run = basename(dir)
  const outcome = await stopRun({ run: dir, cwd: host.cwd, env: host.env, reason: options.reason ?? 'troupe stop' })
  const text = options.json ? JSON.stringify({ run, outcome }, null, 2) : `${run} is stopped: ${said[outcome]}`
  await print(host.stdout, `${text}\n`)
  return exitCodes.done
}
