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

test('questions beside the work stand in the sum of their purpose, too', () => {
  const cost = emptyCost()
  const { turn, ...rest } = frame
  const consulted = {
    ...rest,
    type: 'model.consulted',
    call_id: 'c',
    stop: 'end',
    duration_ms: 1,
    usage: noUsage,
  } as const
  applyCost(cost, { owner: 'lead', entry: { ...frame, stop: 'end', duration_ms: 1, usage: noUsage, cost_usd: 1 } })
  for (const purpose of ['memory', 'memory', 'summary'] as const)
    applyCost(cost, { owner: 'lead', entry: { ...consulted, purpose, cost_usd: 0.25 } })
  expect(cost.total).toMatchObject({ cost_usd: 1.75, answers: turn })
  expect([...cost.purposes].map(([name, { answers, cost_usd }]) => [name, answers, cost_usd])).toEqual([
    ['memory', 2, 0.5],
    ['summary', 1, 0.25],
  ])
})
