import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { removeRunKey } from '../../adapters/sessions/run-key.ts'
import { retired, type Retention } from '../../rules/team/retention.ts'
import type { Clock } from '../actors/clock.ts'
import { clearLeftovers } from './clear-leftovers.ts'
import { summariseRuns, type RunSummary } from '../runs/read-runs.ts'

/** A run and what it weighs. */
export interface WeighedRun extends RunSummary {
  readonly bytes: number
}

/** The runs of a working directory with their sizes, the newest first. */
export function weighRuns(cwd: string): readonly WeighedRun[] {
  return summariseRuns(cwd).map((run) => ({ ...run, bytes: sizeOf(run.dir) }))
}

/** Which runs are kept, and in which directory they lie. */
export interface Housekeeping extends Retention {
  readonly cwd: string
  /** The user's directory, where the keys are. */
  readonly home: string
  readonly now: number
  /** Only says what would be removed. */
  readonly dryRun: boolean
}

/**
 * Removes runs that are not to be kept, with their keys; never one that is running, or that can be led on.
 * @returns those that were removed, or would be
 * @example collectRuns({ cwd, home, now, keep: 20, dryRun: true })
 */
export function collectRuns({ cwd, home, now, dryRun, ...retention }: Housekeeping): readonly WeighedRun[] {
  const runs = weighRuns(cwd)
  const weights = runs.map(({ state, stale, members, ...run }) => ({
    ...run,
    running: state === 'running' || stale || members.some(({ alive }) => alive),
  }))
  const going = new Set(retired(weights, retention, now))
  const gone = runs.filter(({ id }) => going.has(id))
  if (!dryRun) for (const { id, dir } of gone) removeRun(home, id, dir)
  return gone
}

/**
 * Takes away what the ended runs of a directory keep beyond the retention of their teams.
 * @returns the number of files that were removed
 */
export function clearEnded(cwd: string, clock: Pick<Clock, 'now' | 'mint'>): number {
  const ended = summariseRuns(cwd).filter(({ members }) => !members.some(({ alive }) => alive))
  return ended.reduce((sum, { dir }) => sum + clearLeftovers(dir, clock), 0)
}

function removeRun(home: string, id: string, dir: string): void {
  rmSync(dir, { recursive: true, force: true })
  removeRunKey(home, id)
}

/** Bytes in a directory, without following links. A file that disappears meanwhile weighs nothing. */
function sizeOf(dir: string): number {
  return readdirSync(dir, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) return sum + sizeOf(path)
    return sum + (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0)
  }, 0)
}
