import { basename } from 'node:path'
import { holderText, type Holder } from '../../adapters/lease/lease.ts'
import { endProcess, isGoneWithin } from '../../adapters/process/end-process.ts'
import { readRun, unreadableRun } from '../../adapters/sessions/read-run.ts'
import { runDirectory } from '../../adapters/sessions/run-directory.ts'
import { writeJson } from '../../adapters/sessions/write-json.ts'
import type { StopFile } from '../../protocol/team/run.ts'
import { systemClock, type Clock } from '../actors/clock.ts'
import { clearAway } from './clear-away.ts'
import { isDead, lastLeader, livingLeader } from '../runs/leader.ts'
import { livingElsewhere, watchRuns, type Say } from '../runs/take-over.ts'
import { openTeamJournal } from '../journals/team-journal.ts'
import { sweepDead } from './reap-orphans.ts'
import { endOf, findRun } from '../runs/read-runs.ts'
import { stopFile } from '../runs/stop-file.ts'
import { ownPlace } from '../actors/own-place.ts'

/** How long a leader may take to end its run in order, and a process to end at all. */
const graceMs = 20_000
const killMs = 2_000

/** Which run is stopped, and why. */
export interface StopRunOptions {
  /** The run's id or the beginning of it, its directory, or the name of its team for the latest one. */
  readonly run: string
  /** Where its team works; default: the process's directory. */
  readonly cwd?: string
  /** Default: that a program stopped it. */
  readonly reason?: string
  /** For git and tmux; default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly clock?: Clock
  /** Hears why it takes time. */
  readonly onNote?: Say
}

/** The outcome of a stop: the leader ended in order, was killed, was gone already, or had ended its run before. */
export type Stopped = 'ended' | 'killed' | 'gone' | 'over'

/**
 * Stops a run for good: a tombstone first, so that nobody leads it on, then its leader and its workers. Whoever does not
 * end in order is killed; what they had started goes with them. A run that has ended gets no tombstone.
 * @throws when there is no such run, or a process elsewhere has its part in it: then nothing was written
 * @example await stopRun({ run: 'review', reason: 'The branch is gone.' }) // 'ended'
 */
export async function stopRun(options: StopRunOptions): Promise<Stopped> {
  const { cwd = ownPlace.cwd, env = ownPlace.env, clock = systemClock(), reason = 'a program stopped it' } = options
  const dir = findRun(cwd, options.run)
  if (dir === null) throw new Error(`there is no run ${JSON.stringify(options.run)} in ${cwd}`)
  const { run, members } = readRun(dir)
  if (!run) throw new Error(unreadableRun(dir))
  await watchRuns([dir], options.onNote)
  refuseElsewhere(dir)
  const leader = livingLeader(dir)
  const isOver = leader === null && endOf(dir) !== null
  if (leader) refuseForeign(leader)
  if (!isOver) writeJson(stopFile(dir), { at: clock.now(), reason } satisfies StopFile)
  const done = leader ? await endLeader(leader) : 'gone'
  for (const member of members) {
    if (member.executor !== 'in-process' && !isDead(dir, member)) await endProcess(member, killMs)
  }
  sweepDead(dir)
  if (done !== 'ended' || endOf(dir) === null) await finish(dir, { clock, env })
  return isOver ? 'over' : done
}

function refuseElsewhere(dir: string): void {
  const [far] = livingElsewhere(dir)
  if (far) throw new Error(`${far.name} of ${basename(dir)} is ${holderText(far.holder)}; stop it there`)
}

/** A process of another user cannot be ended. */
function refuseForeign({ pid }: Holder): void {
  process.kill(pid, 0)
}

async function endLeader(leader: Holder): Promise<'ended' | 'killed'> {
  process.kill(leader.pid, 'SIGTERM')
  if (await isGoneWithin(leader, graceMs)) return 'ended'
  await endProcess(leader, killMs)
  return 'killed'
}

/** Says how the run ended, and cleans up, in the place of a leader that cannot any more. */
async function finish(dir: string, { clock, env }: Required<Pick<StopRunOptions, 'clock' | 'env'>>): Promise<void> {
  const { run: file } = readRun(dir)
  if (!file || (lastLeader(dir)?.released && endOf(dir) !== null)) return
  const directory = runDirectory(dir, file.team)
  const { journal, state } = openTeamJournal({ run: directory, clock }, clock.mint())
  try {
    if (state.end === null) journal.append([{ type: 'team.ended', status: 'aborted', reason: 'stopped', result: null }])
    await clearAway({ dir, file, env, record: journal.append })
  } finally {
    journal.close()
  }
}
