import { expect, test } from 'vitest'
import { applyShortfall, emptyShortfall, listedIn } from '../../../src/projections/team/shortfall.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { recordedOf } from '../journal-of.ts'

const decided = (behavior: 'allow' | 'deny', call: number): Fact => ({
  type: 'permission.decided',
  call_id: `c${call}`,
  tool: 'Write',
  decision: { behavior, source: 'mode', reason: `call ${call}` },
})

test('the first denied calls are listed and the others counted, until somebody asks anew', () => {
  const state = emptyShortfall({ wait: 'all', timeout_ms: 1, retry: 0, then: 'continue' })
  const hear = (...facts: readonly Fact[]): void => {
    for (const recorded of recordedOf(...facts.map((fact) => ['ana', fact] as const))) applyShortfall(state, recorded)
  }
  hear(decided('allow', 0), ...Array.from({ length: 500 }, (_, call) => decided('deny', call + 1)))
  const { denied, denied_more } = listedIn(state)
  expect([denied.length, denied[0]?.reason, denied_more]).toEqual([200, 'call 1', 300])
  hear({ type: 'team.reopened', task: 'More.' } as Fact)
  expect(listedIn(state)).toEqual({ missing: [], denied: [] })
})
