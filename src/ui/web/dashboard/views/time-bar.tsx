import { momentText } from '../../../../protocol/words/local-time.ts'
import type { StreamLink } from '../wire/run-stream.ts'
import type { RunStore } from '../state/run-store.ts'

interface TimeProps {
  readonly store: RunStore
  /** Facts that are looked at; null for all, also those to come. */
  readonly at: number | null
  readonly seek: (at: number | null) => void
}

const linkWords: Readonly<Record<StreamLink | 'opening', string>> = {
  opening: 'opening',
  live: 'live',
  over: 'over',
  lost: 'no connection',
  closed: 'no session',
}

/** The time of a run as a slider: every view shows the moment at which it stands. */
export function TimeBar({ store, at, seek }: TimeProps) {
  const total = store.count()
  const count = Math.min(at ?? total, total)
  const fact = store.fact(count)
  const words = fact === undefined ? 'before the first fact' : `${fact.entry.type} · ${fact.owner}`
  const time = fact === undefined ? '' : momentText(fact.entry.at)
  return (
    <footer class={at === null ? 'time-bar' : 'time-bar is-past'}>
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
      <p class="fact">
        <span class="figure">
          {count} / {total}
        </span>
        <span class="words">{words}</span>
        <span class="figure time">{time.slice(11, 19)}</span>
      </p>
      <button type="button" class={`link is-${store.link()}`} aria-pressed={at === null} onClick={() => seek(null)}>
        {at === null ? linkWords[store.link()] : 'to the present'}
      </button>
    </footer>
  )
}

function positionIn({ valueAsNumber }: HTMLInputElement, total: number): number | null {
  return valueAsNumber >= total ? null : valueAsNumber
}
