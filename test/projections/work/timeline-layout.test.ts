import { expect, test } from 'vitest'
import type { Span } from '../../../src/projections/work/spans.ts'
import { layOutTimeline, plotWidth } from '../../../src/projections/work/timeline-layout.ts'

const long = 'release-notes-historian'
const spans: readonly Span[] = [
  { member: 'lead', kind: 'work', from: 1_000, to: null, label: '' },
  { member: long, kind: 'call', from: 3_000, to: 5_000, label: 'Bash' },
  { member: long, kind: 'wait', from: 9_000, to: 9_001, label: 'Edit' },
  { member: 'nobody', kind: 'work', from: 1_000, to: 2_000, label: '' },
]

test('a lane for each member, a bar for each stretch: what goes on reaches the end, and none is too narrow to be seen', () => {
  const { height, plotHeight, lanes, ticks, bars, paths } = layOutTimeline({
    names: ['lead', long],
    spans,
    from: 1_000,
    to: 11_000,
  })
  expect([height, plotHeight]).toEqual([84, 60])
  expect(lanes).toEqual([
    { name: 'lead', label: 'lead', y: 20 },
    { name: long, label: 'release-no…torian', y: 50 },
  ])
  expect(ticks.map(({ ms }) => ms)).toEqual([0, 2_500, 5_000, 7_500, 10_000])
  expect(bars.map(({ span, x, y, width, height: thick, ms }) => [span.kind, x, y, width, thick, ms])).toEqual([
    ['work', 0, 5, plotWidth, 20, 10_000],
    ['call', 200, 40, 200, 10, 2_000],
    ['wait', 800, 38, 1.5, 14, 1],
  ])
  expect(paths).toEqual([])
})

test('of too many bars those of a kind are one path, in which bars that touch are one', () => {
  const many = Array.from({ length: 1_000 }, (_, n): Span => ({ ...(spans[1] as Span), from: n, to: n + 1 }))
  const { bars, paths } = layOutTimeline({ names: [long], spans: many, from: 0, to: 100_000 })
  expect(bars).toEqual([])
  const line = paths[0]?.[1] ?? ''
  expect(paths.map(([kind]) => kind)).toEqual(['call'])
  expect(line.split('M').length).toBeLessThan(30)
  expect(line.startsWith('M0.0 10h1.5v10H0.0z')).toBe(true)
})

test('a run of one moment has a width, too', () => {
  const { bars } = layOutTimeline({ names: ['lead'], spans: spans.slice(0, 1), from: 1_000, to: 1_000 })
  expect(bars).toMatchObject([{ x: 0, width: 1.5, ms: 0 }])
})
