import { endProcess, isGoneWithin } from '../../adapters/process/end-process.ts'
import { isAlive, ownMachine } from '../../adapters/process/liveness.ts'
import { readRun } from '../../adapters/sessions/read-run.ts'
import { runDirectory } from '../../adapters/sessions/run-directory.ts'
import { writeJson } from '../../adapters/sessions/write-json.ts'
import { endOfRun } from '../../projections/team/run-end.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import type { StopFile } from '../../protocol/team/run.ts'
import type { Clock } from '../actors/clock.ts'
import { clearAway } from './clear-away.ts'
import { lastLeader, livingLeader } from '../runs/leader.ts'
import { openOwned } from '../journals/ledger.ts'
import { sweepDead } from './reap-orphans.ts'
import { stopFile } from '../runs/stop-file.ts'

/** How long a leader may take to end its run in order, and a process to end at all. */
const graceMs = 20_000
const killMs = 2_000

/** Why a run is stopped, and what git and tmux are asked with. */
export interface StopRunOptions {
  readonly clock: Clock
  readonly reason: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Stops a run for good: a tombstone first, so that nobody leads it on, then its leader and its workers. Whoever does not
 * end in order is killed; what they had started goes with them.
 * @returns what was done: the leader ended in order, had to be killed, or was gone already
 * @throws when the directory is no run
 */
export async function stopRun(
  dir: string,
  { clock, reason, env }: StopRunOptions,
): Promise<'ended' | 'killed' | 'gone'> {
  const { run, members } = readRun(dir)
  if (!run) throw new Error(`${dir} is no run directory: its run.json is missing or unreadable`)
  writeJson(stopFile(dir), { at: clock.now(), reason } satisfies StopFile)
  const done = await endLeader(dir)
  for (const { pid, started, executor } of members) {
    if (executor !== 'in-process' && isAlive(pid, started)) await endProcess({ pid, started }, killMs)
  }
  sweepDead(dir)
  if (done !== 'ended') await finish(dir, { clock, env })
  return done
}

async function endLeader(dir: string): Promise<'ended' | 'killed' | 'gone'> {
  const leader = livingLeader(dir)
  if (!leader) return lastLeader(dir)?.released === true ? 'ended' : 'gone'
  if (leader.machine !== ownMachine()) throw new Error(`its leader runs on another machine; stop it there`)
  process.kill(leader.pid, 'SIGTERM')
  if (await isGoneWithin(leader, graceMs)) return 'ended'
  await endProcess(leader, killMs)
  return 'killed'
}

/** Says how the run ended, and cleans up, in the place of a leader that cannot any more. */
async function finish(dir: string, { clock, env }: Omit<StopRunOptions, 'reason'>): Promise<void> {
  const { run: file } = readRun(dir)
  if (!file) return
  const directory = runDirectory(dir, file.team)
  const { journal, entries } = openOwned({ run: directory, clock }, { owner: leaderName, incarnation: clock.mint() })
  try {
    const ended = endOfRun(entries) !== null
    if (!ended) journal.append([{ type: 'team.ended', status: 'aborted', reason: 'stopped', result: null }])
    await clearAway({ dir, file, env, record: journal.append })
  } finally {
    journal.close()
  }
}
