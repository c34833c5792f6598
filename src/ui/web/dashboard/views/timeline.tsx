import { byNeed } from '../../../../projections/screen/condition.ts'
import {
  layOutTimeline,
  nameWidth,
  plotWidth,
  spanWords,
  type Bar,
  type TimelineLayout,
} from '../../../../projections/work/timeline-layout.ts'
import type { Span } from '../../../../projections/work/spans.ts'
import { durationText } from '../../../text/figures.ts'
import { hashOf, type Place } from '../state/place.ts'
import type { RunLook } from './page-props.ts'

/** Members over time: work, model calls, calls, and waits with those who are waited for. */
export function Timeline({ look }: { readonly look: RunLook }) {
  const { moment, now, place } = look
  const { time, panes, spans } = moment
  if (time === null) return <p class="empty">Nothing happened yet.</p>
  const to = Math.max(now, time.to)
  const names = byNeed([...panes.roster.values()]).map(({ name }) => name)
  const layout = layOutTimeline({ names, spans: spans.spans, from: time.from, to })
  return (
    <>
      <div class="timeline" role="group" aria-label="Members over time">
        <Lanes layout={layout} place={place} />
      </div>
      <ul class="key plain">
        {Object.entries(spanWords).map(([kind, words]) => (
          <li key={kind}>
            <i class={`swatch is-${kind}`} /> {words}
          </li>
        ))}
      </ul>
      <Waits spans={spans.spans} end={to} />
    </>
  )
}

interface LanesProps {
  readonly layout: TimelineLayout
  readonly place: Place
}

function Lanes({ layout: { height, plotHeight, lanes, ticks, bars, paths }, place }: LanesProps) {
  return (
    <svg width="100%" height={height}>
      {lanes.map(({ name, label, y }) => (
        <a key={name} href={hashOf({ ...place, view: 'transcript', member: name })}>
          <title>{name}</title>
          <text x={-nameWidth} y={y}>
            {label}
          </text>
        </a>
      ))}
      {ticks.map(({ percent, ms }) => (
        <g key={percent}>
          <rect class="tick" x={`${percent}%`} width="1" height={plotHeight} />
          <text class="tick-name" x={`${percent}%`} y={height - 6}>
            {durationText(ms)}
          </text>
        </g>
      ))}
      <svg viewBox={`0 0 ${plotWidth} ${plotHeight}`} preserveAspectRatio="none" height={plotHeight}>
        {bars.map((bar, index) => (
          <BarBox key={index} bar={bar} />
        ))}
        {paths.map(([kind, line]) => (
          <path key={kind} class={`bar is-${kind}`} d={line} />
        ))}
      </svg>
    </svg>
  )
}

function BarBox({ bar: { span, ms, x, y, width, height } }: { readonly bar: Bar }) {
  const about = span.label === '' ? '' : ` (${span.label})`
  return (
    <rect class={`bar is-${span.kind}`} x={x.toFixed(1)} y={y} width={width.toFixed(1)} height={height}>
      <title>{`${span.member}: ${spanWords[span.kind]}${about}, ${durationText(ms)}`}</title>
    </rect>
  )
}

/** The most pairs that are listed. */
const mostPairs = 50

/** The waits of members by pairs, and how long they were in all. */
function Waits({ spans, end }: { readonly spans: readonly Span[]; readonly end: number }) {
  const sums = new Map<string, number>()
  for (const { member, kind, label, from, to } of spans) {
    if (kind !== 'blocked' && kind !== 'wait') continue
    const pair = `${member} → ${kind === 'wait' ? 'a person' : label || 'results'}`
    sums.set(pair, (sums.get(pair) ?? 0) + (to ?? end) - from)
  }
  const rows = [...sums].toSorted((a, b) => b[1] - a[1]).slice(0, mostPairs)
  return (
    <>
      <h2>Who waited for whom</h2>
      {rows.length === 0 ? <p class="empty">Nobody has waited.</p> : null}
      <table>
        <tbody>
          {rows.map(([pair, ms]) => (
            <tr key={pair}>
              <td>{pair}</td>
              <td class="figure">{durationText(ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
