import { lastBeat } from '../../adapters/lease/heartbeat.ts'
import { endProcess } from '../../adapters/process/end-process.ts'
import { readMember } from '../../adapters/sessions/read-run.ts'
import type { RunContext } from '../context/run-context.ts'
import { isDead, leasesOf } from '../runs/leader.ts'

const lookMs = 5_000
/** Looks in a row that find the same sign of life: a minute of this process's own time, in which the worker did nothing. */
const mostStill = 12

/** The last sign of life of a worker, and how many looks have found it. */
interface Pulse {
  readonly beat: string
  readonly still: number
}

/**
 * Kills workers in other processes that have stood still for a minute: stopped by a signal, or hanging in the system.
 * Such a worker is no worker; its end is a crash, and its card decides what follows. A leader that stood still itself has
 * not looked meanwhile, and begins to count where it was.
 * @param warn hears of each before it is killed
 * @returns the end of the watch
 */
export function watchFrozen(
  { run, team, clock }: Pick<RunContext, 'run' | 'team' | 'clock'>,
  warn: (code: string, message: string) => void,
): () => void {
  const workers = team.members.filter(({ executor }) => executor !== 'in-process').map(({ name }) => name)
  if (workers.length === 0) return () => undefined
  const pulses = new Map<string, Pulse>()
  const look = (name: string): void => {
    const file = readMember(run.dir, name)
    if (!file || file.state === 'gone' || file.executor === 'in-process' || isDead(run.dir, file)) return
    const beat = `${file.incarnation} ${lastBeat(leasesOf(run.dir), file)}`
    const last = pulses.get(name)
    const still = last?.beat === beat ? last.still + 1 : 0
    pulses.set(name, { beat, still })
    if (still !== mostStill) return
    warn('frozen', `${name} has not moved for ${(mostStill * lookMs) / 1000} s; its process ${file.pid} is killed`)
    void endProcess(file, 0)
  }
  const lookAtAll = (): void => {
    for (const name of workers) look(name)
    timer = clock.setTimeout(lookAtAll, lookMs)
  }
  let timer = clock.setTimeout(lookAtAll, lookMs)
  return () => clock.clearTimeout(timer)
}
