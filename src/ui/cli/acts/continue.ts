import { continueTeam } from '../../../runtime/run/continue-team.ts'
import type { ExitCode } from '../host/exit-codes.ts'
import type { Host } from '../host/host.ts'
import { runDirectoryOf } from '../runs/run-choice.ts'
import { leadOn, type ResumeOptions } from './resume.ts'

/** Brings the lead of an ended run what a person says, and stays with the run until its next end. */
export function goOn(
  { run, text }: { readonly run: string; readonly text: string },
  options: ResumeOptions,
  host: Host,
): Promise<ExitCode> {
  const dir = runDirectoryOf(run, options, host)
  return leadOn(dir, (how) => continueTeam(dir, { ...how, text, home: host.home }), { options, host })
}
