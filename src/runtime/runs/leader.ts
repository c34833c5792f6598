import { basename, join } from 'node:path'
import { latestEpoch, presentHolder, type Holder, holderText } from '../../adapters/lease/lease.ts'
import { lifeOf } from '../../adapters/lease/who-lives.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import type { RunFile } from '../../protocol/team/run.ts'
import type { PlacedProcess } from '../../rules/team/life-verdict.ts'

/** The latest leader of a run: the holder of the lease `team`, null before the first one. */
export function lastLeader(dir: string): Holder | null {
  return latestEpoch(join(leasesOf(dir), leaderName))?.holder ?? null
}

/**
 * The present leader of a run, null without one. A leader elsewhere of whom that is not clear yet counts as living:
 * `watchRuns` makes it clear.
 */
export function livingLeader(dir: string): Holder | null {
  return livingHolder(dir, leaderName)
}

/** The process that is a member of a run now, or its leader; null without one. */
export function livingHolder(dir: string, name: string): Holder | null {
  return presentHolder(leasesOf(dir), name)
}

/** Whether a process of a run is over, as far as anybody can tell here and now. */
export function isDead(dir: string, process: PlacedProcess): boolean {
  return lifeOf(leasesOf(dir), process) === 'dead'
}

/** Where a run keeps who is which of its members. */
export function leasesOf(dir: string): string {
  return join(dir, 'lease')
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
  return run !== null && !isDead(dir, run.leader) ? run.leader.pid : null
}

/** A note about mail to a run without a leader; null when the run has one. */
export function unledNote(dir: string, run: Pick<RunFile, 'leader'> | null): string | null {
  const leader = livingLeader(dir)
  if (leader && lifeOf(leasesOf(dir), leader) === 'unclear') {
    return `This team was led by ${holderText(leader)}; if nobody leads it any more, the mail waits until it is run on.`
  }
  if (leadingPid(dir, run) !== null) return null
  return `Nobody runs this team now; the mail waits until it is run on: troupe continue ${basename(dir)} "Go on."`
}
