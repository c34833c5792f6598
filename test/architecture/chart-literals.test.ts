import { expect, test } from 'vitest'
import { scatteredCharts } from './chart-literals.ts'
import { parseModule } from './source-module.ts'

function complaints(text: string): readonly string[] {
  return scatteredCharts([parseModule('machines/a/a.ts', text)])
}

test.for([
  ['spreads states', `s.createMachine({ initial: 'b', states: { ...shared } })`, /from elsewhere: \.\.\.shared/],
  ['names a state', `s.createMachine({ initial: 'asking', states: { asking } })`, /from elsewhere: asking/],
  ['calls for a transition', `s.createMachine({ on: { claim: [refusedIn('open')] } })`, /from elsewhere: refusedIn/],
  ['is a value', 's.createMachine(chart)', /from elsewhere: chart/],
  ['leaves a state to another call', `s.createStateConfig({ invoke: { src: 'ask' } })`, /apart from its chart/],
] as const)('a chart that %s is told', ([, text, complaint]) => {
  expect(complaints(text)).toEqual([expect.stringMatching(complaint)])
})

test('a whole chart may say how inputs are made, in place or by name', () => {
  const chart = `s.createMachine({
    context: freshContext,
    initial: 'open',
    states: { open: { description: 'Dark.', invoke: { src: 'b', input: ({ context }) => ({ ...context }), onDone: 'open' } } },
  })`
  expect(complaints(chart)).toEqual([])
})
