import { expect, test } from 'vitest'
import { applyCost, emptyCost } from '../../../src/projections/cost/cost.ts'
import { noUsage } from '../../../src/protocol/conversation/message.ts'
import type { Entry } from '../../../src/protocol/facts/entry.ts'

const frame = { v: 1, seq: 1, id: 'lead-1', parent: null, at: 1, type: 'model.settled', turn: 1, model: 'm' } as const

test('a sum of dollars is a decimal number, whatever binary fractions make of it', () => {
  const cost = emptyCost()
  for (const cost_usd of [0.1, 0.2, 0.000_000_3]) {
    const entry: Entry = { ...frame, stop: 'end', duration_ms: 1, usage: noUsage, cost_usd }
    applyCost(cost, { owner: 'lead', entry })
  }
  expect(JSON.stringify(cost.total.cost_usd)).toBe('0.3000003')
})
