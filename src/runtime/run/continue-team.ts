import { rmSync } from 'node:fs'
import { basename } from 'node:path'
import { readRunFile, unreadableRun } from '../../adapters/sessions/read-run.ts'
import { runDirectory } from '../../adapters/sessions/run-directory.ts'
import { endOfRun } from '../../projections/team/run-end.ts'
import { agentId } from '../../protocol/words/ids.ts'
import type { Attachment } from '../../protocol/conversation/message.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { RunFile } from '../../protocol/team/run.ts'
import { systemClock, type Clock } from '../actors/clock.ts'
import { NotResumable } from '../runs/not-resumable.ts'
import { takeOver } from '../runs/take-over.ts'
import { openTeamJournal } from '../journals/team-journal.ts'
import { recordOfRun } from '../runs/read-runs.ts'
import { endRequests } from '../team/resume-leader.ts'
import { resumeTeam, type ResumeTeamOptions } from './resume-team.ts'
import type { TeamRun } from './run-team.ts'
import { sendMail, type PersonalMail } from '../mail/send-mail.ts'
import { stopFile, stopOf } from '../runs/stop-file.ts'
import { ownPlace } from '../actors/own-place.ts'

/** Options for a person's further words to the lead of a run that nobody leads. */
export interface ContinueTeamOptions extends ResumeTeamOptions {
  readonly text: string
  /** Images and documents that come with it; `readAttachments` makes them of files. */
  readonly attachments?: readonly Attachment[]
  /** Goes on with a run that was stopped, too, and takes processes elsewhere for dead. */
  readonly force?: boolean | undefined
}

/**
 * Goes on with a run that has ended or was interrupted: opens it again, brings the lead what a person has to say, and leads
 * the run on. All members know what they knew; the budget goes on counting, and after an end the time limit starts anew.
 *
 * @param dir the run directory
 * @throws NotResumable when it is no run, was stopped (without `force`), or somebody leads it
 * @example const run = await continueTeam(dir, { text: 'Now the tests, please.' })
 */
export async function continueTeam(dir: string, options: ContinueTeamOptions): Promise<TeamRun> {
  await openAgain(dir, options)
  return resumeTeam(dir, options)
}

/**
 * Opens a run that nobody leads for a person's words to its lead, who has them as mail; whoever resumes it leads it on.
 * @throws NotResumable as `continueTeam` does
 */
export async function openAgain(dir: string, options: ContinueTeamOptions): Promise<void> {
  const { text, attachments = [], force = false, ...rest } = options
  const file = readRunFile(dir)
  if (!file) throw new NotResumable(unreadableRun(dir))
  refuseStopped(dir, force)
  const clock = rest.clock ?? systemClock()
  await takeOver(dir, file, { ...options, clock })
  if (force) rmSync(stopFile(dir), { force: true })
  const { recorded } = recordOfRun(dir)
  const hasEnded = endOfRun(recorded.map(({ entry }) => entry)) !== null
  if (hasEnded) reopen(dir, file, { clock, before: endRequests(recorded, file.team.coordinator) })
  await sendToLead(dir, { text, attachments }, rest.home)
}

function refuseStopped(dir: string, force: boolean): void {
  const stopped = stopOf(dir)
  if (!stopped || force) return
  const words = `${basename(dir)} was stopped (${stopped.reason}); --force goes on with it all the same`
  throw new NotResumable(words)
}

/**
 * Brings the lead of a run that nobody leads what a person says.
 * @throws NotResumable when it is no run, or its mailbox takes nothing
 */
export async function sendToLead(
  dir: string,
  words: Pick<PersonalMail, 'text' | 'attachments'>,
  home = ownPlace.home,
): Promise<void> {
  const team = readRunFile(dir)?.team
  if (!team) throw new NotResumable(unreadableRun(dir))
  const sent = await sendMail(dir, { ...words, to: agentId(team.coordinator, team.name), home, beyondBound: true })
  if (!sent.ok) throw new NotResumable(`${basename(dir)} is open again, but: ${sent.error}; troupe resume leads it on`)
}

interface Reopening {
  readonly clock: Clock
  /** Facts that its end left unsaid. */
  readonly before?: readonly Fact[]
}

/** From here on it is a run that nobody leads: a kill now leaves one that can be resumed. */
export function reopen(dir: string, { team }: RunFile, { clock, before = [] }: Reopening): void {
  const { journal } = openTeamJournal({ run: runDirectory(dir, team), clock }, clock.mint())
  try {
    journal.append([...before, { type: 'team.reopened' }])
  } finally {
    journal.close()
  }
}
