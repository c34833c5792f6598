/** A recorded run as a player sees it: its facts are numbered from 1. */
export interface Playable {
  count(): number
  /** Milliseconds since the Unix epoch. */
  timeOf(number: number): number
}

/** The place of a player in a run. */
export interface PlayHead {
  /** Facts that are shown. */
  readonly shown: number
  /** Milliseconds of the run since the latest of them. */
  readonly waited: number
}

/** Milliseconds of the run until the next fact; infinite after the last one. A clock that was set back costs no time. */
export function untilNext(run: Playable, { shown, waited }: PlayHead): number {
  if (shown >= run.count()) return Number.POSITIVE_INFINITY
  if (shown === 0) return 0
  return Math.max(0, run.timeOf(shown + 1) - run.timeOf(shown) - waited)
}

/**
 * The place after some time of the run has gone by.
 * @example playedOn(run, { shown: 3, waited: 0 }, 20 * elapsed) // twenty times as fast as it happened
 */
export function playedOn(run: Playable, from: PlayHead, ms: number): PlayHead {
  let head = from
  let left = ms
  for (let gap = untilNext(run, head); gap <= left; gap = untilNext(run, head)) {
    left -= gap
    head = { shown: head.shown + 1, waited: 0 }
  }
  return { ...head, waited: head.waited + left }
}

/** The speeds that a person chooses from. */
export const speeds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000] as const

/** The next speed that a key chooses. */
export function nextSpeed(speed: number, step: 1 | -1): number {
  const found = step > 0 ? speeds.find((each) => each > speed) : speeds.findLast((each) => each < speed)
  return found ?? speed
}
