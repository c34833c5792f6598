import { keyframed } from '../../../../projections/fold/keyframes.ts'
import { momentsOf, type RunMoment } from '../../../../projections/moment/run-moment.ts'
import { applyLed } from '../../../../projections/screen/led.ts'
import { applyLive, type PaneMembers } from '../../../../projections/screen/panes.ts'
import type { Recorded } from '../../../../protocol/facts/entry.ts'
import { followRun, type StreamLink } from '../wire/run-stream.ts'
import { getJson, runPath } from '../wire/server.ts'

/** The team of a run, as the server names it. */
export interface Cast extends PaneMembers {
  readonly team: string
  readonly budget_usd: number | null
}

/** A run as the page holds it: all its facts, the moment that is looked at, and who draws it. */
export interface RunStore {
  readonly run: string
  readonly cast: Cast
  count(): number
  fact(number: number): Recorded | undefined
  /** The number of an entry; infinite for one that was not heard of. */
  numberOf(entry: string | null): number
  /** How many facts a member's journal has. */
  factsOf(member: string): number
  link(): StreamLink | 'opening'
  /** The moment after so many facts, or the present one. */
  moment(at: number | null): RunMoment
  /** Calls back when there is something new to draw. @returns ends that */
  subscribe(draw: () => void): () => void
  close(): void
}

/** The least time between two drawings of news, in milliseconds. */
const drawMs = 100

/** Opens a run. @throws Refused when the server has none of that name */
export async function openRunStore(run: string): Promise<RunStore> {
  const cast = await getJson<Cast>(runPath(run, '/cast'))
  const frames = keyframed(momentsOf(cast))
  const { changed, subscribe } = drawings()
  const numbers = new Map<string, number>()
  const written = new Map<string, number>()
  let link: StreamLink | 'opening' = 'opening'
  const close = followRun(run, {
    fact(recorded) {
      frames.take(recorded)
      numbers.set(recorded.entry.id, frames.count())
      written.set(recorded.owner, recorded.entry.seq)
      changed()
    },
    live(event) {
      applyLive(frames.latest().panes, event)
      changed()
    },
    link(now) {
      link = now
      if (now === 'live' || now === 'over') applyLed(frames.latest().panes.roster, now === 'live')
      changed()
    },
  })
  return {
    run,
    cast,
    subscribe,
    close,
    count: frames.count,
    fact: frames.fact,
    numberOf: (entry) => numbers.get(entry ?? '') ?? Number.POSITIVE_INFINITY,
    factsOf: (member) => written.get(member) ?? 0,
    link: () => link,
    moment: (at) => (at === null || at >= frames.count() ? frames.latest() : frames.at(at)),
  }
}

/** The listeners are called once for all news of a tenth of a second. */
function drawings() {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const draw = (): void => {
    timer = undefined
    for (const each of listeners) each()
  }
  return {
    changed(): void {
      timer ??= setTimeout(draw, drawMs)
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
