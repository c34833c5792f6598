import { clearInterrupted } from '../../adapters/sandbox/begun-notes.ts'
import { deadSockets, forgetSocket, isSocketOf } from '../../adapters/live/live-place.ts'
import { errorCode } from '../../adapters/fs/error-code.ts'
import { LeaseHeld } from '../../adapters/lease/lease.ts'
import { listRuns, readRun } from '../../adapters/sessions/read-run.ts'
import { runDirectory } from '../../adapters/sessions/run-directory.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import type { Clock } from '../actors/clock.ts'
import { openTeamJournal } from '../journals/team-journal.ts'
import { isDead, lastLeader, livingLeader } from '../runs/leader.ts'
import { endOf, runsRoot } from '../runs/read-runs.ts'
import { reapedText, reapOrphans } from './reap-orphans.ts'

/** The directory whose earlier runs are swept, and the environment that names places. */
export interface SweepOptions {
  /** The working directory. */
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
}

/**
 * Takes away what killed processes of earlier runs left: the commands of killed members, and what these left that would
 * run outside of the sandbox; of runs that have ended and whose
 * leader was killed before its cleanup was done, the worktrees that hold nothing and the tmux server; the live sockets of
 * dead processes. A run of which any process lives, or may live elsewhere, is left alone.
 * @returns what was done, in words
 * @example await sweepRuns({ cwd: '/home/ann/shop', home: '/home/ann', env: process.env, clock: systemClock() }) // ['removed the worktree …']
 */
export async function sweepRuns(place: SweepOptions): Promise<readonly string[]> {
  const root = runsRoot(place.cwd)
  const said = reapOrphans(root).map(reapedText)
  const aside = await clearInterrupted(place.home, { now: place.clock.now() })
  said.push(...aside.split('\n').filter((sentence) => sentence !== ''))
  const sockets = deadSockets(place.env)
  for (const { id, dir } of listRuns(root)) {
    said.push(...(await finishCleanup(dir, place)), ...forgetSockets({ id, dir }, sockets))
  }
  return said
}

/** The lease of a leader that ended in order is released; that of a killed one says that it had something left to do. */
async function finishCleanup(dir: string, { env, clock }: SweepOptions): Promise<readonly string[]> {
  if (!wasCutOff(dir)) return []
  const { run: file, members } = readRun(dir)
  if (file === null || !members.every((member) => isDead(dir, member))) return []
  try {
    const run = runDirectory(dir, file.team)
    const { journal, state } = openTeamJournal({ run, clock }, clock.mint())
    try {
      // A person may have opened the run again since.
      if (state.end === null) return []
      // Only those who have something to clean up load what that takes.
      const { clearAway } = await import('./clear-away.ts')
      return await clearAway({ dir, file, env, record: journal.append })
    } finally {
      journal.close()
    }
  } catch (error) {
    // Another process leads the run on, or cleans it up, by now.
    if (error instanceof LeaseHeld) return []
    if (errorCode(error) === undefined) throw error
    return [`what ${file.run} had left cannot be taken away: ${String(error)}`]
  }
}

function wasCutOff(dir: string): boolean {
  const leader = lastLeader(dir)
  return leader !== null && leader.released !== true && isDead(dir, leader) && endOf(dir) !== null
}

function forgetSockets({ id, dir }: { id: string; dir: string }, sockets: readonly string[]): readonly string[] {
  if (sockets.length === 0) return []
  const names = [leaderName, ...(readRun(dir).run?.team.members ?? []).map(({ name }) => name)]
  const left = names.flatMap((owner) =>
    sockets.filter((path) => isSocketOf(path, { dir, owner })).map((path) => ({ owner, path })),
  )
  // One that somebody leads on, or will, finds those of its dead members itself.
  if (left.length === 0 || livingLeader(dir) !== null || endOf(dir) === null) return []
  for (const { path } of left) forgetSocket(path)
  const owners = [...new Set(left.map(({ owner }) => owner))]
  return [`removed the live ${left.length === 1 ? 'socket' : 'sockets'} of ${owners.join(', ')} that ${id} had left`]
}
