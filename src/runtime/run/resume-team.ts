import { basename } from 'node:path'
import { readRunFile, unreadableRun } from '../../adapters/sessions/read-run.ts'
import { runDirectory } from '../../adapters/sessions/run-directory.ts'
import { endOfRun } from '../../projections/team/run-end.ts'
import type { Launch } from '../../protocol/team/run.ts'
import { systemClock } from '../actors/clock.ts'
import { readEarlier } from '../runs/earlier-run.ts'
import { NotResumable } from '../runs/not-resumable.ts'
import { takeOver, type TakeOver } from '../runs/take-over.ts'
import { changeTeam, type TeamChange } from './change-team.ts'
import { healGaps } from './heal-gaps.ts'
import { homeOf, leadRun, type RunTeamOptions, type TeamRun } from './run-team.ts'
import { sweepDead } from '../upkeep/reap-orphans.ts'
import { stopOf } from '../runs/stop-file.ts'

/** How a run is led on: as it was started, but for who sits here. */
export type ResumeTeamOptions = Omit<RunTeamOptions, 'task' | 'cwd' | 'executor' | 'budgetUsd'> &
  Pick<TakeOver, 'force' | 'onNote'> &
  TeamChange

/**
 * Leads a run on after its leader ended without a word: its journals are folded, workers that live are taken over, others
 * start again from their journals, mail that nobody read is read, questions are put again, deadlines and budgets go on
 * counting. What was started with the run (mode, rules, trust) holds on. A leader elsewhere, in another container or on
 * another machine, is watched for ten seconds first; `force` takes it for dead without a look. The team is the one that the
 * run began with, but for other models and, with `reload`, what its file says now.
 *
 * @param dir the run directory
 * @throws NotResumable when it is no run, has ended, was stopped, or somebody leads it; `result` rejects with it when somebody
 * began to in this moment
 * @example console.log((await (await resumeTeam('.troupe/runs/review-01J…')).result).result)
 */
export async function resumeTeam(dir: string, options: ResumeTeamOptions = {}): Promise<TeamRun> {
  const file = readRunFile(dir)
  if (!file) throw new NotResumable(unreadableRun(dir))
  const stopped = stopOf(dir)
  if (stopped) throw new NotResumable(`${basename(dir)} was stopped (${stopped.reason}); a stopped run stays stopped`)
  const clock = options.clock ?? systemClock()
  await takeOver(dir, file, { ...options, clock })
  const before = readEarlier(dir)
  if (endOfRun(before.recorded.map(({ entry }) => entry))) {
    throw new NotResumable(`${basename(dir)} has ended; troupe continue says more to it`)
  }
  sweepDead(dir)
  const isMended = healGaps(dir, { ...options, ...before, file, home: homeOf(options), clock })
  const team = await changeTeam(dir, file, { ...options, clock })
  const earlier = team === file.team && !isMended ? before : readEarlier(dir, before)
  const { cwd, task, launch = {} } = file
  const run = runDirectory(dir, team)
  const held = launch as Pick<RunTeamOptions, keyof Launch>
  return leadRun(
    { team, chosen: [], run, clock, cwd, earlier, traceparent: launch.traceparent },
    { ...held, ...options, task, cwd },
  )
}
