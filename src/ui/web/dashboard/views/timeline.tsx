import { byNeed } from '../../../../projections/screen/condition.ts'
import type { Span, SpanKind } from '../../../../projections/work/spans.ts'
import { durationText } from '../../../text/figures.ts'
import { hashOf } from '../state/place.ts'
import type { RunLook } from './page-props.ts'

const [left, width, rowHeight] = [132, 1000, 30] as const
/** More bars than that have no words of their own: all of one kind and member are one line. */
const mostBars = 500

const kindWords: Readonly<Record<SpanKind, string>> = {
  work: 'works',
  model: 'a model answers',
  call: 'a call runs',
  wait: 'waits for a person',
  blocked: 'waits for members',
}

/** Members over time: work, model calls, calls, and waits with those who are waited for. */
export function Timeline({ look }: { readonly look: RunLook }) {
  const { moment, now } = look
  const { time, panes, spans } = moment
  if (time === null) return <p class="empty">Nothing happened yet.</p>
  const end = panes.ended === null ? Math.max(now, time.to) : time.to
  const scale: Scale = { from: time.from, to: Math.max(end, time.from + 1) }
  const names = byNeed([...panes.roster.values()]).map(({ name }) => name)
  const height = names.length * rowHeight + 28
  return (
    <>
      <div class="scroll timeline" tabIndex={0} role="group" aria-label="Members over time">
        <svg viewBox={`0 0 ${left + width + 12} ${height}`}>
          <Ticks scale={scale} height={height} />
          {names.map((name, row) => (
            <a key={name} href={hashOf({ ...look.place, view: 'transcript', member: name })}>
              <text x="0" y={row * rowHeight + 20} class="row-name">
                {name.length > 17 ? `${name.slice(0, 16)}…` : name}
              </text>
            </a>
          ))}
          {spans.spans.length > mostBars
            ? linesOf(spans.spans, scale, names).map(([kind, line]) => (
                <path key={kind} class={`bar is-${kind}`} d={line} />
              ))
            : spans.spans.map((span, index) => (
                <Bar key={index} span={span} scale={scale} row={names.indexOf(span.member)} />
              ))}
        </svg>
      </div>
      <ul class="key plain">
        {Object.entries(kindWords).map(([kind, words]) => (
          <li key={kind}>
            <i class={`swatch is-${kind}`} /> {words}
          </li>
        ))}
      </ul>
      <Blocked spans={spans.spans} end={scale.to} />
    </>
  )
}

interface Scale {
  readonly from: number
  readonly to: number
}

function xOf(at: number, { from, to }: Scale): number {
  return left + Math.min(1, Math.max(0, (at - from) / (to - from))) * width
}

/** The bars of each kind as one line; bars of a member that touch are one bar. */
function linesOf(spans: readonly Span[], scale: Scale, names: readonly string[]) {
  const rows = new Map(names.map((name, row) => [name, row]))
  const lines = new Map<SpanKind, string[]>()
  const ends = new Map<string, number>()
  for (const { member, kind, from, to } of spans) {
    const end = xOf(to ?? scale.to, scale)
    const drawn = ends.get(`${member} ${kind}`) ?? 0
    const x = Math.max(xOf(from, scale), drawn)
    if (end - x < 0.5 && drawn > 0) continue
    ends.set(`${member} ${kind}`, end)
    const [y, height] = [(rows.get(member) ?? 0) * rowHeight + insets[kind], rowHeight - 2 * insets[kind]]
    const line = lines.get(kind) ?? []
    line.push(`M${x.toFixed(1)} ${y}h${Math.max(1, end - x).toFixed(1)}v${height}H${x.toFixed(1)}z`)
    lines.set(kind, line)
  }
  return [...lines].map(([kind, line]) => [kind, line.join('')] as const)
}

const insets: Readonly<Record<SpanKind, number>> = { work: 5, model: 10, call: 10, wait: 8, blocked: 13 }

function Bar({ span, scale, row }: { readonly span: Span; readonly scale: Scale; readonly row: number }) {
  const end = span.to ?? scale.to
  const inset = insets[span.kind]
  const about = span.label === '' ? '' : ` (${span.label})`
  const x = xOf(span.from, scale)
  return (
    <rect
      class={`bar is-${span.kind}`}
      x={x.toFixed(1)}
      y={row * rowHeight + inset}
      width={Math.max(1.5, xOf(end, scale) - x).toFixed(1)}
      height={rowHeight - 2 * inset}
      rx={2}
    >
      <title>{`${span.member} ${kindWords[span.kind]}${about}: ${durationText(end - span.from)}`}</title>
    </rect>
  )
}

function Ticks({ scale, height }: { readonly scale: Scale; readonly height: number }) {
  return (
    <>
      {[0, 0.25, 0.5, 0.75, 1].map((part) => {
        const x = left + part * width
        return (
          <g key={part}>
            <line x1={x} x2={x} y1="0" y2={height - 20} class="tick" />
            <text x={x} y={height - 6} text-anchor={part === 1 ? 'end' : 'middle'} class="tick-name">
              {durationText(part * (scale.to - scale.from))}
            </text>
          </g>
        )
      })}
    </>
  )
}

/** The waits of members by pairs, and how long they were in all. */
function Blocked({ spans, end }: { readonly spans: readonly Span[]; readonly end: number }) {
  const sums = new Map<string, number>()
  for (const { member, kind, label, from, to } of spans) {
    if (kind !== 'blocked' && kind !== 'wait') continue
    const pair = `${member} → ${kind === 'wait' ? 'a person' : label || 'results'}`
    sums.set(pair, (sums.get(pair) ?? 0) + (to ?? end) - from)
  }
  if (sums.size === 0) return null
  const rows = [...sums].toSorted((a, b) => b[1] - a[1]).slice(0, 50)
  return (
    <>
      <h2>Who waited for whom</h2>
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
