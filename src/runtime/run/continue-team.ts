import { rmSync } from 'node:fs'
import { basename } from 'node:path'
import { readJournal } from '../../adapters/sessions/read-journal.ts'
import { readRunFile } from '../../adapters/sessions/read-run.ts'
import { runDirectory } from '../../adapters/sessions/run-directory.ts'
import { endOfRun } from '../../projections/team/run-end.ts'
import { agentId, leaderName } from '../../protocol/words/ids.ts'
import type { RunFile } from '../../protocol/team/run.ts'
import { systemClock, type Clock } from '../actors/clock.ts'
import { NotResumable } from '../runs/not-resumable.ts'
import { ledText, livingLeader } from '../runs/leader.ts'
import { openOwned } from '../journals/ledger.ts'
import { journalFile } from '../runs/read-runs.ts'
import { resumeTeam, type ResumeTeamOptions } from './resume-team.ts'
import type { TeamRun } from './run-team.ts'
import { sendMail } from '../mail/send-mail.ts'
import { stopFile, stopOf } from '../runs/stop-file.ts'
import { ownPlace } from '../actors/own-place.ts'

/** Options for a person's further words to the lead of a run that has ended. */
export interface ContinueTeamOptions extends ResumeTeamOptions {
  readonly text: string
  /** Goes on with a run that was stopped, too. */
  readonly force?: boolean
}

/**
 * Goes on with a run that has ended: opens it again, brings the lead what a person has to say, and leads the run on. All
 * members know what they knew; the budget goes on counting, the time limit starts anew.
 *
 * @param dir the run directory
 * @throws NotResumable when it is no run, has not ended, was stopped (without `force`), or somebody leads it
 * @example const run = await continueTeam(dir, { text: 'Now the tests, please.' })
 */
export async function continueTeam(dir: string, options: ContinueTeamOptions): Promise<TeamRun> {
  const { text, force = false, ...rest } = options
  const file = endedRun(dir, force)
  const clock = rest.clock ?? systemClock()
  if (force) rmSync(stopFile(dir), { force: true })
  reopen(dir, file, clock)
  await sendToLead(dir, text, rest.home)
  return resumeTeam(dir, rest)
}

function endedRun(dir: string, force: boolean): RunFile {
  const run = basename(dir)
  const file = readRunFile(dir)
  if (!file) throw new NotResumable(`${dir} is no run directory: its run.json is missing or unreadable`)
  const leader = livingLeader(dir)
  if (leader) throw new NotResumable(`${ledText(run, leader)}; troupe send speaks to its members`)
  const stopped = stopOf(dir)
  if (stopped && !force) {
    throw new NotResumable(`${run} was stopped (${stopped.reason}); --force goes on with it all the same`)
  }
  if (!endOfRun(readJournal(journalFile(dir, leaderName)).entries)) {
    throw new NotResumable(`${run} has not ended; troupe resume leads it on, troupe send speaks to its members`)
  }
  return file
}

/**
 * Brings the lead of a run that nobody leads what a person says.
 * @throws NotResumable when it is no run, or its mailbox takes nothing
 */
export async function sendToLead(dir: string, text: string, home = ownPlace.home): Promise<void> {
  const team = readRunFile(dir)?.team
  if (!team) throw new NotResumable(`${dir} is no run directory: its run.json is missing or unreadable`)
  const sent = await sendMail(dir, { to: agentId(team.coordinator, team.name), text, home })
  if (!sent.ok) throw new NotResumable(`${basename(dir)} is open again, but: ${sent.error}; troupe resume leads it on`)
}

/** From here on it is a run that nobody leads: a kill now leaves one that can be resumed. */
export function reopen(dir: string, { team }: RunFile, clock: Clock): void {
  const owned = { owner: leaderName, incarnation: clock.mint() }
  const { journal } = openOwned({ run: runDirectory(dir, team), clock }, owned)
  try {
    journal.append([{ type: 'team.reopened' }])
  } finally {
    journal.close()
  }
}
