import { useLayoutEffect, useRef } from 'preact/hooks'
import { playedOn, untilNext, type PlayHead } from '../../../../projections/moment/play-head.ts'
import type { Place } from './place.ts'
import type { RunStore } from './run-store.ts'

/** The least time between two moments, in milliseconds: a view takes some to be drawn. */
const frameMs = 50

/** Lets the moment of a run go on as time goes, until the end of what is played. */
export function usePlay(store: RunStore | null, place: Place, go: (place: Place) => void): void {
  const from = useRef<{ head: PlayHead; since: number }>({ head: { shown: -1, waited: 0 }, since: 0 })
  const count = store?.count() ?? 0
  // A timer of a place that was left must not lead back to it: the timer ends before the next task, not after the next painting.
  useLayoutEffect(() => {
    const { plays, at, until, speed } = place
    if (store === null || !plays || at === null) return undefined
    const end = Math.min(until ?? count, count)
    const run = { count: () => end, timeOf: (number: number) => store.fact(number)?.entry.at ?? 0 }
    const begin = (head: PlayHead): void => void (from.current = { head, since: performance.now() })
    if (from.current.head.shown !== at) begin({ shown: at, waited: 0 })
    const goOn = (): void => {
      const { head, since } = from.current
      begin(playedOn(run, head, (performance.now() - since) * speed))
      go({ ...place, at: from.current.head.shown })
    }
    if (at < end) {
      const timer = setTimeout(goOn, Math.max(frameMs, untilNext(run, from.current.head) / speed))
      return () => clearTimeout(timer)
    }
    // Facts of a run that goes on are still to come.
    const isOver = end === until || store.link() === 'over'
    if (isOver) go({ ...place, plays: false, at: end === count ? null : end })
    return undefined
  }, [store, place, go, count, store?.link()])
}
