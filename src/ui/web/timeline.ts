import type { RunSheet } from '../../runtime/reports/read-sheet.ts'
import { layOutTimeline, nameWidth, plotWidth, spanWords } from '../../projections/work/timeline-layout.ts'
import { durationText } from '../text/figures.ts'
import { html, type Markup } from './markup.ts'

/** The members of a run over time: their work, their model calls and calls, and their waits. */
export function timeline({ spans, began, ended }: RunSheet): Markup {
  const names = [...new Set(spans.map(({ member }) => member))]
  const layout = layOutTimeline({ names, spans, from: began, to: ended })
  const { height, plotHeight } = layout
  const lanes = layout.lanes.map(
    ({ name, label, y }) => html`<text x="${-nameWidth}" y="${y}">${label}<title>${name}</title></text>`,
  )
  const ticks = layout.ticks.map(
    ({
      percent,
      ms,
    }) => html`<g><rect class="tick" x="${percent}%" width="1" height="${plotHeight}"></rect><text class="tick-name"
  x="${percent}%" y="${height - 6}">${durationText(ms)}</text></g>`,
  )
  const bars = layout.bars.map(({ span: { member, kind, label }, ms, x, y, width, height: thick }) => {
    const words = `${member}: ${spanWords[kind]}${label === '' ? '' : ` (${label})`}, ${durationText(ms)}`
    return html`<rect class="bar is-${kind}" x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${thick}"><title>${words}</title></rect>`
  })
  const paths = layout.paths.map(([kind, line]) => html`<path class="bar is-${kind}" d="${line}"></path>`)
  const key = Object.entries(spanWords).map(
    ([kind, words]) => html`<span><i class="swatch is-${kind}"></i>${words}</span>`,
  )
  return html`<div class="timeline"><svg width="100%" height="${height}" role="img" aria-label="Members over time">${lanes}${ticks}<svg
  viewBox="0 0 ${plotWidth} ${plotHeight}" preserveAspectRatio="none" height="${plotHeight}">${bars}${paths}</svg></svg></div>
<p class="key">${key}</p>`
}
