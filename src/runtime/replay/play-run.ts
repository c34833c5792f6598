import { nextSpeed, playedOn, untilNext, type PlayHead } from '../../projections/moment/play-head.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Clock } from '../actors/clock.ts'
import type { RunListener } from '../runs/watch-run.ts'

/** A recorded run that is being played. */
export interface Playback {
  /** Facts that are shown, of so many. */
  readonly shown: number
  readonly total: number
  readonly speed: number
  readonly paused: boolean
  /** When the latest shown fact happened; null before the first. */
  readonly at: number | null
  /** The id of that fact. */
  readonly entry: string | null
}

export type PlayAct = 'pause' | 'step' | 'faster' | 'slower'

export interface Player {
  /** Begins; the listener hears what it would have heard then, but for the pieces of text, which nobody records. @returns ends it */
  play(listener: Pick<RunListener, 'recorded' | 'stand'>): () => void
  act(act: PlayAct): void
  state(): Playback
}

export interface PlayOptions {
  /** 1 is as it happened. */
  readonly speed: number
  readonly clock: Pick<Clock, 'now' | 'setTimeout' | 'clearTimeout'>
}

/**
 * Plays the facts of a run as time goes. Nothing of the run is touched.
 *
 * @param recorded in the order in which they are told
 * @example openPlayer(recordOfRun(dir).recorded, { speed: 20, clock: systemClock() }).play(listener)
 */
export function openPlayer(recorded: readonly Recorded[], { speed, clock }: PlayOptions): Player {
  const run = { count: () => recorded.length, timeOf: (number: number) => recorded[number - 1]?.entry.at ?? 0 }
  const now = { head: { shown: 0, waited: 0 } as PlayHead, speed, paused: false, since: clock.now() }
  let timer: unknown
  let tell: RunListener['recorded'] = () => undefined
  const become = (head: PlayHead): void => {
    const batch = recorded.slice(now.head.shown, head.shown)
    now.head = head
    if (batch.length > 0) tell(batch)
  }
  const goOn = (): void => {
    const at = clock.now()
    if (!now.paused) become(playedOn(run, now.head, Math.max(0, at - now.since) * now.speed))
    now.since = at
    clock.clearTimeout(timer)
    const ms = untilNext(run, now.head) / now.speed
    if (!now.paused && Number.isFinite(ms)) timer = clock.setTimeout(goOn, Math.max(1, Math.ceil(ms)))
  }
  return {
    play(listener) {
      tell = listener.recorded
      now.since = clock.now()
      listener.stand({ led: true, pending: [], unread: new Map() })
      goOn()
      return () => {
        now.paused = true
        clock.clearTimeout(timer)
      }
    },
    act(act) {
      goOn()
      if (act === 'pause') now.paused = !now.paused
      else if (act === 'step') become({ shown: Math.min(now.head.shown + 1, recorded.length), waited: 0 })
      else now.speed = nextSpeed(now.speed, act === 'faster' ? 1 : -1)
      goOn()
    },
    state: () => playbackOf(recorded, now),
  }
}

function playbackOf(
  recorded: readonly Recorded[],
  { head: { shown }, speed, paused }: Pick<Playback, 'speed' | 'paused'> & { readonly head: PlayHead },
): Playback {
  const { at = null, id: entry = null } = recorded[shown - 1]?.entry ?? {}
  return { shown, total: recorded.length, speed, paused, at, entry }
}
