import type { RunSheet } from '../../runtime/reports/read-sheet.ts'
import type { SpanKind } from '../../projections/work/spans.ts'
import { durationText } from '../text/figures.ts'
import { html, type Markup } from './markup.ts'

const [left, right, rowHeight] = [130, 900, 26]
/** More bars than that are no picture any more: then model calls are left out. */
const mostBars = 3_000

/** The members of a run over time: their work, their model calls, and their waits for answers. */
export function timeline({ spans, began, ended }: RunSheet): Markup {
  const drawn = spans.flatMap((span) => (isDrawn(span.kind) ? [{ ...span, kind: span.kind }] : []))
  const members = [...new Set(drawn.map(({ member }) => member))]
  const shown = drawn.length > mostBars ? drawn.filter(({ kind }) => kind !== 'model').slice(0, mostBars) : drawn
  const total = Math.max(1, ended - began)
  const x = (at: number): number => left + (Math.min(total, Math.max(0, at - began)) / total) * (right - left)
  const height = members.length * rowHeight + 24
  const names = members.map(
    (name, row) =>
      html`<text x="8" y="${row * rowHeight + 17}">${name.length > 16 ? `${name.slice(0, 15)}…` : name}</text>`,
  )
  const bars = shown.map(({ member, kind, from, to }) => {
    const inset = kind === 'work' ? 4 : 9
    const y = members.indexOf(member) * rowHeight + inset
    const width = Math.max(1, x(to ?? ended) - x(from))
    return html`<rect class="${kind}" x="${x(from).toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${
      rowHeight - 2 * inset
    }" rx="2"><title>${`${member}: ${words[kind]}, ${durationText((to ?? ended) - from)}`}</title></rect>`
  })
  return html`<div class="scroll"><svg viewBox="0 0 910 ${height}" role="img" aria-label="Members over time">${names}${bars}<text
    x="${left}" y="${height - 6}">0s</text><text x="${right}" y="${height - 6}" text-anchor="end">${durationText(total)}</text></svg></div>
<p class="key"><span><i class="work"></i>works</span><span><i class="model"></i>a model answers</span><span><i
  class="wait"></i>waits for an answer</span></p>`
}

function isDrawn(kind: SpanKind): kind is keyof typeof words {
  return kind in words
}

const words = { work: 'works', model: 'a model answers', wait: 'waits for an answer' } as const
