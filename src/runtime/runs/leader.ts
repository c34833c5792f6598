import { join } from 'node:path'
import { latestEpoch, type Holder } from '../../adapters/lease/epoch-files.ts'
import { holderText } from '../../adapters/lease/lease.ts'
import { isAlive, ownMachine } from '../../adapters/process/liveness.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import type { RunFile } from '../../protocol/team/run.ts'

/** Who led a run last: the holder of the lease `team`, null before the first. */
export function lastLeader(dir: string): Holder | null {
  return latestEpoch(join(dir, 'lease', leaderName))?.holder ?? null
}

/** Who leads a run now, null when nobody does. A leader on another machine counts as living: this one cannot tell. */
export function livingLeader(dir: string): Holder | null {
  return livingHolder(dir, leaderName)
}

/** What somebody is told who wants to lead a run that another process leads. */
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

/** What is to be known of mail to a run that nobody leads; null when somebody does. */
export function unledNote(dir: string, run: Pick<RunFile, 'leader'> | null): string | null {
  return leadingPid(dir, run) === null ? 'Nobody runs this team now; the mail waits until it is run on.' : null
}

/** Who is a member of a run now, or its leader; null when nobody is. */
export function livingHolder(dir: string, name: string): Holder | null {
  const leader = latestEpoch(join(dir, 'lease', name))?.holder ?? null
  if (!leader || leader.released) return null
  const lives = leader.machine !== ownMachine() || isAlive(leader.pid, leader.started)
  return lives ? leader : null
}
