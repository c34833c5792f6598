import { shortName } from '../screen/short-name.ts'
import type { Span, SpanKind } from './spans.ts'

/** The words for each kind of stretch; of two that cover each other the later one is drawn above. */
export const spanWords: Readonly<Record<SpanKind, string>> = {
  work: 'works',
  model: 'a model answers',
  call: 'a call runs',
  wait: 'waits for a person',
  blocked: 'waits for members',
}

/** The width of the part with the bars, in units of its own: a face stretches that part to the room that there is. */
export const plotWidth = 1_000
/** The pixels to the left of it, for the names. */
export const nameWidth = 132
const [laneHeight, timesHeight, longestName, barPixel] = [30, 24, 17, 1.5] as const
/** More bars than that have no words of their own: all of one kind are one path. */
const mostBars = 500
const insets: Readonly<Record<SpanKind, number>> = { work: 5, model: 10, call: 10, wait: 8, blocked: 13 }

/** The stretches that are drawn; times in milliseconds since the epoch. */
export interface TimelineInput {
  /** The lanes from above. */
  readonly names: readonly string[]
  readonly spans: readonly Span[]
  readonly from: number
  readonly to: number
}

/** A bar in the part with the bars: `x` and `width` in units of `plotWidth`, `y` and `height` in pixels. */
export interface Bar {
  readonly span: Span
  readonly ms: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Members over time in their places; distances from above in pixels. */
export interface TimelineLayout {
  readonly height: number
  /** The height of the lanes alone. */
  readonly plotHeight: number
  /** `y` is the line on which the name stands; a long name is cut in its `label`. */
  readonly lanes: readonly { readonly name: string; readonly label: string; readonly y: number }[]
  /** Places from the left in percent, and the milliseconds from the beginning there. */
  readonly ticks: readonly { readonly percent: number; readonly ms: number }[]
  readonly bars: readonly Bar[]
  /** In place of too many bars: one path for each kind. */
  readonly paths: readonly (readonly [SpanKind, string])[]
}

/**
 * Lays members out over time: a lane for each member, in it a bar for each of its stretches. One that has not ended goes on to
 * the end.
 *
 * @example layOutTimeline({ names: ['lead'], spans: spansOf(recorded), from: began, to: ended }).height // 54
 */
export function layOutTimeline({ names, spans, from, to }: TimelineInput): TimelineLayout {
  const total = Math.max(1, to - from)
  const rows = new Map(names.map((name, row) => [name, row]))
  const x = (at: number): number => Math.min(1, Math.max(0, (at - from) / total)) * plotWidth
  const bars = spans.flatMap((span): readonly Bar[] => {
    const row = rows.get(span.member)
    if (row === undefined) return []
    const [end, inset] = [span.to ?? to, insets[span.kind]]
    const width = Math.max(barPixel, x(end) - x(span.from))
    const [y, height] = [row * laneHeight + inset, laneHeight - 2 * inset]
    return [{ span, ms: Math.max(0, end - span.from), x: x(span.from), y, width, height }]
  })
  const plotHeight = names.length * laneHeight
  return {
    height: plotHeight + timesHeight,
    plotHeight,
    lanes: names.map((name, row) => ({ name, label: shortName(name, longestName), y: row * laneHeight + 20 })),
    ticks: [0, 25, 50, 75, 100].map((percent) => ({ percent, ms: (percent / 100) * total })),
    ...(bars.length > mostBars ? { bars: [], paths: pathsOf(bars) } : { bars, paths: [] }),
  }
}

/** The bars of each kind as one path; bars of a lane that touch are one. */
function pathsOf(bars: readonly Bar[]): TimelineLayout['paths'] {
  const ends = new Map<string, number>()
  const paths = new Map<SpanKind, string[]>(kinds.map((kind) => [kind, []]))
  for (const { span, x, y, width, height } of bars) {
    const [key, end] = [`${span.kind} ${span.member}`, x + width]
    const drawn = ends.get(key) ?? 0
    const begin = Math.max(x, drawn)
    if (drawn > 0 && end - begin < 0.5) continue
    ends.set(key, end)
    paths.get(span.kind)?.push(`M${begin.toFixed(1)} ${y}h${(end - begin).toFixed(1)}v${height}H${begin.toFixed(1)}z`)
  }
  return [...paths].flatMap(([kind, parts]) => (parts.length === 0 ? [] : [[kind, parts.join('')] as const]))
}

const kinds = Object.keys(spanWords) as SpanKind[]
