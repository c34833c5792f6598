import { expect, test } from 'vitest'
import { applySpent, type Spent } from '../../../src/projections/cost/spending.ts'
import type { Entry } from '../../../src/protocol/facts/entry.ts'
import { failure } from '../../../src/protocol/conversation/failure.ts'
import { noUsage } from '../../../src/protocol/conversation/message.ts'

const frame = { v: 1, seq: 1, id: 'lead-1', parent: null, at: 1 } as const
const usage = { ...noUsage, input: 10, output: 5, cache_read: 100 }

function settled(more: Partial<Extract<Entry, { type: 'model.settled' }>> = {}): Entry {
  const base = { ...frame, type: 'model.settled', turn: 1, model: 'm', stop: 'end', duration_ms: 1 } as const
  return { ...base, usage, cost_usd: 0.25, ...more }
}

function retried(): Entry {
  const base = { ...frame, type: 'model.retried', turn: 1, model: 'm', attempt: 1, delay_ms: 1 } as const
  return { ...base, failure: failure('overloaded', 'busy'), usage, cost_usd: 0.1 }
}

function spentBy(...recorded: readonly (readonly [owner: string, entry: Entry])[]): object {
  const spent: Spent = new Map()
  for (const [owner, entry] of recorded) applySpent(spent, { owner, entry })
  return Object.fromEntries(spent)
}

test('each member’s answers, tokens of all kinds and millionths of a dollar are added up', () => {
  expect(spentBy(['lead', settled()], ['ana', settled()], ['lead', settled({ cost_usd: 0.1 })])).toEqual({
    lead: { usd: 350_000, tokens: 230, turns: 2 },
    ana: { usd: 250_000, tokens: 115, turns: 1 },
  })
})

test('an attempt that failed is paid for and is no answer', () => {
  expect(spentBy(['lead', retried()], ['lead', settled({ stop: 'error' })])).toEqual({
    lead: { usd: 350_000, tokens: 230, turns: 0 },
  })
})

test('what nobody knows the price of costs nothing', () => {
  expect(spentBy(['lead', settled({ cost_usd: null })])).toEqual({ lead: { usd: 0, tokens: 115, turns: 1 } })
})

test('what another model said about a call is paid for and is no turn', () => {
  const base = { ...frame, type: 'model.consulted', purpose: 'permission', call_id: 'c', model: 'judge' } as const
  const consulted: Entry = { ...base, stop: 'end', usage, cost_usd: 0.5, duration_ms: 1 }
  expect(spentBy(['lead', consulted])).toEqual({ lead: { usd: 500_000, tokens: 115, turns: 0 } })
})
