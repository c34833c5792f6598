import { momentText } from '../../../../protocol/words/local-time.ts'
import type { StreamLink } from '../wire/run-stream.ts'
import { speeds } from '../../../../projections/moment/play-head.ts'
import { played, type Place } from '../state/place.ts'
import type { RunStore } from '../state/run-store.ts'

interface TimeProps {
  readonly store: RunStore
  readonly place: Place
  readonly go: (place: Place) => void
}

const linkWords: Readonly<Record<StreamLink | 'opening', string>> = {
  opening: 'opening',
  live: 'live',
  over: 'over',
  lost: 'no connection',
  closed: 'no session',
}

/** The time of a run as a slider: every view shows the moment at which it stands. */
export function TimeBar({ store, place, go }: TimeProps) {
  const { at, plays } = place
  const seek = (to: number | null): void => go({ ...place, at: to, plays: plays && to !== null })
  const total = store.count()
  const count = Math.min(at ?? total, total)
  const fact = store.fact(count)
  const words = fact === undefined ? 'before the first fact' : `${fact.entry.type} · ${fact.owner}`
  const time = fact === undefined ? '' : momentText(fact.entry.at)
  return (
    <footer class={at === null ? 'time-bar' : 'time-bar is-past'}>
      <button type="button" aria-label={plays ? 'Pause' : 'Play'} onClick={() => go(played(place))}>
        {plays ? '❚❚' : '▶'}
      </button>
      <Speed place={place} go={go} />
      <button type="button" aria-label="One fact back" onClick={() => seek(Math.max(0, count - 1))}>
        ‹
      </button>
      <input
        type="range"
        min={0}
        max={total}
        value={count}
        aria-label="Moment of the run, in facts"
        aria-valuetext={`fact ${count} of ${total}, ${words}, ${time}`}
        onInput={({ currentTarget }) => seek(positionIn(currentTarget, total))}
      />
      <button type="button" aria-label="One fact on" onClick={() => seek(count + 1 >= total ? null : count + 1)}>
        ›
      </button>
      <Fact count={`${count} / ${total}`} words={words} time={time.slice(11, 19)} />
      <button type="button" class={`link is-${store.link()}`} aria-pressed={at === null} onClick={() => seek(null)}>
        {at === null ? linkWords[store.link()] : 'to the present'}
      </button>
    </footer>
  )
}

function Fact({ count, words, time }: { readonly count: string; readonly words: string; readonly time: string }) {
  return (
    <p class="fact">
      <span class="figure">{count}</span>
      <span class="words">{words}</span>
      <span class="figure time">{time}</span>
    </p>
  )
}

function Speed({ place, go }: Pick<TimeProps, 'place' | 'go'>) {
  const all = speeds.some((each) => each === place.speed) ? speeds : [place.speed, ...speeds]
  return (
    <select
      class="speed"
      aria-label="Speed"
      value={place.speed}
      onChange={({ currentTarget }) => go({ ...place, speed: Number(currentTarget.value) })}
    >
      {all.map((speed) => (
        <option key={speed} value={speed}>
          ×{speed}
        </option>
      ))}
    </select>
  )
}

function positionIn({ valueAsNumber }: HTMLInputElement, total: number): number | null {
  return valueAsNumber >= total ? null : valueAsNumber
}
