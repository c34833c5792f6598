import { join } from 'node:path'
import { latestEpoch, type Holder, holderText } from '../../adapters/lease/lease.ts'
import { isAlive, ownMachine } from '../../adapters/process/liveness.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import type { RunFile } from '../../protocol/team/run.ts'

/** The latest leader of a run: the holder of the lease `team`, null before the first one. */
export function lastLeader(dir: string): Holder | null {
  return latestEpoch(join(dir, 'lease', leaderName))?.holder ?? null
}

/**
 * The present leader of a run, null without one. A leader on another machine counts as living: this machine cannot
 * tell.
 */
export function livingLeader(dir: string): Holder | null {
  return livingHolder(dir, leaderName)
}

/** The refusal for a process that wants to lead a run which another process leads. */
export function ledText(run: string, leader: Holder): string {
  return `${run} is led by ${holderText(leader)}`
}

/**
 * The process that leads a run, null when none does. In a run's first moment nobody has said so yet, and whoever made it
 * is about to.
 */
export function leadingPid(dir: string, run: Pick<RunFile, 'leader'> | null): number | null {
  if (lastLeader(dir)) return livingLeader(dir)?.pid ?? null
  return run !== null && isAlive(run.leader.pid, run.leader.started) ? run.leader.pid : null
}

/** A note about mail to a run without a leader; null when the run has one. */
export function unledNote(dir: string, run: Pick<RunFile, 'leader'> | null): string | null {
  return leadingPid(dir, run) === null ? 'Nobody runs this team now; the mail waits until it is run on.' : null
}

/** The process that is a member of a run now, or its leader; null without one. */
export function livingHolder(dir: string, name: string): Holder | null {
  const leader = latestEpoch(join(dir, 'lease', name))?.holder ?? null
  if (!leader || leader.released) return null
  const lives = leader.machine !== ownMachine() || isAlive(leader.pid, leader.started)
  return lives ? leader : null
}
