import { join } from 'node:path'
import { latestEpoch, type Holder } from '../../adapters/lease/epoch-files.ts'
import { isAlive, ownMachine } from '../../adapters/process/liveness.ts'
import { leaderName } from '../../protocol/ids.ts'

/** Who led a run last: the holder of the lease `team`, null before the first. */
export function lastLeader(dir: string): Holder | null {
  return latestEpoch(join(dir, 'lease', leaderName))?.holder ?? null
}

/** Who leads a run now, null when nobody does. A leader on another machine counts as living: this one cannot tell. */
export function livingLeader(dir: string): Holder | null {
  return livingHolder(dir, leaderName)
}

/** Who is a member of a run now, or its leader; null when nobody is. */
export function livingHolder(dir: string, name: string): Holder | null {
  const leader = latestEpoch(join(dir, 'lease', name))?.holder ?? null
  if (!leader || leader.released) return null
  const lives = leader.machine !== ownMachine() || isAlive(leader.pid, leader.started)
  return lives ? leader : null
}
