import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lastLinesIn } from '../../adapters/executors/last-lines.ts'
import { watchFolder } from '../../adapters/fs/watch-folder.ts'
import type { RunDirectory } from '../../adapters/sessions/run-directory.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { Extensions } from '../runs/extensions.ts'
import { lastLeader } from '../runs/leader.ts'
import { ownProgram } from '../runs/own-program.ts'
import { clarifiedTask } from './clarify-task.ts'
import { lookAt } from '../runs/place-members.ts'
import { prepareRun, type RunTeamOptions } from './run-team.ts'
import { UsageError } from '../../protocol/words/usage-error.ts'

/** A run that a process without a terminal leads. */
export interface DetachedRun {
  /** `<team>-<ulid>`. */
  readonly id: string
  readonly dir: string
  /** Of its leader. */
  readonly pid: number
  /** Path of the file that takes the leader's output. */
  readonly log: string
  /** Commands that show its panes, where it has any. */
  readonly looks: readonly string[]
}

/** The leader of a detached run ended before it led. */
export class NotDetached extends UsageError {
  override readonly name = 'NotDetached'
}

/** Options that can be handed to another process; parts of this program cannot. An approver is asked about the task alone. */
export type DetachTeamOptions = Omit<RunTeamOptions, 'clock' | 'mail' | keyof Extensions> &
  Required<Pick<RunTeamOptions, 'env'>>

/**
 * Runs a team whose leader is a process of its own, which no terminal and no end of this process takes along. Follow it
 * with `troupe logs -f` or `troupe ps`, end it with `troupe stop`.
 *
 * @returns as soon as it leads
 * @throws NotDetached with its last words when it ends before; VagueTask for a task that nobody is there to explain
 * @example console.log((await detachTeam(await loadTeam('teams/review.yaml'), { task: 'Review it.', env })).id)
 */
export async function detachTeam(team: ResolvedTeam, options: DetachTeamOptions): Promise<DetachedRun> {
  const { env, home } = options
  const { signal } = new AbortController()
  const task = await clarifiedTask(team, options.task, { ...options, signal })
  const { run, cwd, chosen } = prepareRun(team, { ...options, task })
  const log = join(run.dir, 'log', `${leaderName}.log`)
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 })
  const fd = openSync(log, 'a+', 0o600)
  const child = spawn(process.execPath, [ownProgram, 'resume', run.dir, '--cwd', cwd], {
    cwd,
    env: { ...env, ...(home === undefined ? {} : { HOME: home }) },
    detached: true,
    stdio: ['ignore', fd, fd],
  })
  try {
    await leading(child, run)
    const looks = chosen.flatMap(({ executor }) => lookAt(executor, run.id) ?? [])
    return { id: run.id, dir: run.dir, pid: child.pid ?? 0, log, looks }
  } catch (error) {
    // The run never was. The process that failed to open it may have removed it already; its words are read all the
    // same.
    rmSync(run.dir, { recursive: true, force: true })
    throw error instanceof NotDetached
      ? new NotDetached(`its leader ended before it led:\n${lastLinesIn(fd, 0)}`)
      : error
  } finally {
    closeSync(fd)
    child.unref()
  }
}

/** Resolves when a process leads the run or has led it to its end already. */
async function leading(child: ChildProcess, { dir, lease }: RunDirectory): Promise<void> {
  const led = Promise.withResolvers<void>()
  const leases = join(lease, leaderName)
  mkdirSync(leases, { recursive: true, mode: 0o700 })
  const stop = watchFolder(leases, () => lastLeader(dir) && led.resolve())
  child.once('error', led.reject)
  child.once('exit', () => (lastLeader(dir) ? led.resolve() : led.reject(new NotDetached())))
  await led.promise.finally(stop)
}
