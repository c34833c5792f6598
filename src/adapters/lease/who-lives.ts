import { setTimeout as pause } from 'node:timers/promises'
import { judgeLife, type PlacedProcess } from '../../rules/team/life-verdict.ts'
import { isAlive, ownProcess } from '../process/liveness.ts'
import { beatMs, isKnownSilent, lastBeat, noteSilence } from './heartbeat.ts'

/*
 * Owns the one answer to whether a process of a run lives. Never compares the clocks of two machines.
 * 1. A process of this boot and process namespace is asked of the system, one of an earlier boot of this host is dead.
 * 2. Any other one lives when its heartbeat changes while this process watches it; unchanged for `silenceMs` it is dead.
 * 3. A watcher that was suspended counts no more than one beat for the time between two looks.
 * 4. Whoever has watched long enough notes it beside the heartbeat: nobody watches again until the process gives a sign.
 */

/** Silence after which a process elsewhere counts as dead. */
export const silenceMs = 10_000
const lookMs = 250

/** `unclear`: it is elsewhere and has not been watched for long enough. */
type Sign = 'alive' | 'dead' | 'unclear'

interface Watch {
  readonly beat: string
  readonly lookedAt: number
  readonly silent: number
  readonly hasBeaten: boolean
}

/** The processes that this one watches. */
const watched = new Map<string, Watch>()

/**
 * Whether a process lives, at once; one look at a process elsewhere is one step of watching it.
 * @param dir `<run>/lease`
 * @param at a clock that never goes back, in milliseconds
 * @example if (lifeOf(run.lease, holder) === 'dead') takeOver()
 */
export function lifeOf(dir: string, process: PlacedProcess, at = performance.now()): Sign {
  const verdict = judgeLife(process, ownProcess(), isAlive)
  if (verdict !== 'watch') return verdict
  const name = nameOf(dir, process)
  const last = watched.get(name)
  if (last?.silent === Infinity || (!last && isKnownSilent(dir, process))) return 'dead'
  const watch = lookedAgain(last, lastBeat(dir, process), at)
  watched.set(name, watch)
  if (watch.silent < silenceMs) return watch.hasBeaten ? 'alive' : 'unclear'
  noteSilence(dir, process, watch.beat)
  return 'dead'
}

function lookedAgain(last: Watch | undefined, beat: string, at: number): Watch {
  // A heartbeat that was removed is no sign of life.
  const isFresh = last === undefined || (beat !== '' && beat !== last.beat)
  if (isFresh) return { beat, lookedAt: at, silent: 0, hasBeaten: last !== undefined }
  return { ...last, lookedAt: at, silent: last.silent + Math.min(at - last.lookedAt, beatMs) }
}

/** Counts a process elsewhere as dead from now on in this process, whatever sign it gives: a person says so. */
export function presumeDead(dir: string, process: PlacedProcess): void {
  watched.set(nameOf(dir, process), { beat: '', lookedAt: 0, silent: Infinity, hasBeaten: false })
}

function nameOf(dir: string, { pid, started, machine = '' }: PlacedProcess): string {
  return [dir, pid, started, machine].join('\0')
}

/** Watches processes until it is clear of each whether it lives: `silenceMs` at most. `dir` as for `lifeOf`. */
export async function watchLives(
  lives: readonly { readonly dir: string; readonly process: PlacedProcess }[],
): Promise<void> {
  // Every one is looked at each time: silence counts from look to look.
  while (lives.map(({ dir, process }) => lifeOf(dir, process)).includes('unclear')) await pause(lookMs)
}
