import { expect, test } from 'vitest'
import type { Entry, Recorded } from '../../src/protocol/entry.ts'
import { noUsage } from '../../src/protocol/message.ts'
import { spendingFold } from '../../src/projections/spending.ts'

const frame = { v: 1, seq: 1, id: 'lead-1', parent: null, at: 1 } as const

function asked(owner = 'lead'): Recorded {
  return { owner, entry: { ...frame, type: 'model.requested', turn: 1, model: 'm' } }
}

function answered(cost_usd: number | null): Recorded {
  const entry: Entry = {
    ...frame,
    type: 'model.settled',
    turn: 1,
    model: 'm',
    stop: 'end',
    usage: noUsage,
    cost_usd,
    duration_ms: 1,
  }
  return { owner: 'lead', entry }
}

test('the answer after the last allowed one breaks the limit, whoever asks', () => {
  const spending = spendingFold({ turns: 2 })
  const said = [asked(), answered(null), asked('ana'), answered(null), asked('bo')].map(spending.apply)
  expect(said).toEqual([null, null, null, null, 'turns'])
})

test('dollars are added up, and what has no price is free', () => {
  const spending = spendingFold({ usd: 1 })
  const said = [asked(), answered(0.5), asked(), answered(null), asked(), answered(0.5), asked()].map(spending.apply)
  expect(said.at(-1)).toBe('usd')
  expect(said.slice(0, -1)).toEqual([null, null, null, null, null, null])
})

test('without limits nothing is ever too much', () => {
  const spending = spendingFold({})
  expect([answered(1e9), asked()].map(spending.apply)).toEqual([null, null])
})
