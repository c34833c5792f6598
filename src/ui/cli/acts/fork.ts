import { basename } from 'node:path'
import { systemClock } from '../../../runtime/actors/clock.ts'
import { forkRun, NotForkable } from '../../../runtime/run/fork-run.ts'
import { resumeTeam } from '../../../runtime/run/resume-team.ts'
import { sendToLead } from '../../../runtime/run/continue-team.ts'
import type { ExitCode } from '../host/exit-codes.ts'
import { print, type Host } from '../host/host.ts'
import { runDirectoryOf } from '../runs/run-choice.ts'
import { UserError } from '../host/user-error.ts'
import { leadOn, type ResumeOptions } from './resume.ts'

export interface ForkOptions extends ResumeOptions {
  readonly at: string
}

/** Forks a run and stays with the new one until its end. */
export async function fork(
  { run, text }: { readonly run: string; readonly text: string | undefined },
  options: ForkOptions,
  host: Host,
): Promise<ExitCode> {
  const { at } = options
  const dir = forked(runDirectoryOf(run, options, host), at, host)
  await print(host.stderr, `${basename(dir)} goes on from ${at}\n`)
  if (text !== undefined) await sendToLead(dir, text, host.home)
  return leadOn(dir, (how) => resumeTeam(dir, how), { options, host })
}

function forked(dir: string, at: string, host: Host): string {
  try {
    return forkRun(dir, { at, home: host.home, clock: systemClock(), env: host.env })
  } catch (error) {
    if (error instanceof NotForkable) throw new UserError(error.message)
    throw error
  }
}
