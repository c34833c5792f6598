import { basename } from 'node:path'
import { systemClock } from '../../../runtime/actors/clock.ts'
import { stopRun } from '../../../runtime/upkeep/stop-run.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { noteTo, print, type Host } from '../host/host.ts'
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
  const reason = options.reason ?? 'troupe stop'
  const outcome = await stopRun(dir, { clock: systemClock(), env: host.env, reason, onNote: noteTo(host) })
  const words =
    outcome === 'over' ? `${run} had ended before; nothing is changed` : `${run} is stopped: ${said[outcome]}`
  await print(host.stdout, `${options.json ? JSON.stringify({ run, outcome }, null, 2) : words}\n`)
  return exitCodes.done
}
