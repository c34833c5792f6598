import type { Clock } from '../actors/clock.ts'
import { livingLeader } from '../runs/leader.ts'

/** The run whose leader a worker watches, and the worker's steps when that leader is missing. */
export interface LeaderWatch {
  /** The run directory. */
  readonly dir: string
  readonly clock: Clock
  busy(): boolean
  /** Called when the run has had no leader for a while and the work at hand is done. */
  lost(): void
}

const lookMs = 5_000
/** How long an idle worker waits for somebody who resumes the run. */
const patienceMs = 30_000

/**
 * Lets no worker outlive its run: one that has nothing to do and no leader for half a minute leaves. What it knows is in
 * its journal, and a leader that comes later starts it again.
 * @returns the end of the watch
 */
export function leaderWatch({ dir, clock, busy, lost }: LeaderWatch): () => void {
  let alone: number | null = null
  let timer: unknown
  const look = (): void => {
    const led = livingLeader(dir) !== null || busy()
    alone = led ? null : (alone ?? clock.now())
    if (alone !== null && clock.now() - alone >= patienceMs) lost()
    else plan()
  }
  const plan = (): void => {
    timer = clock.setTimeout(look, lookMs)
  }
  plan()
  return () => clock.clearTimeout(timer)
}
