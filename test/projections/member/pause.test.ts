import { expect, test } from 'vitest'
import { applyPause, noPause } from '../../../src/projections/member/pause.ts'
import { failure } from '../../../src/protocol/conversation/failure.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { noUsage } from '../../../src/protocol/conversation/message.ts'
import { recordedOf, settled } from '../journal-of.ts'

const limited = failure('rate_limited', 'enough for today')
const paused: Fact = { type: 'model.paused', turn: 1, model: 'p/a', until: 9_000, failure: limited }
const resumed: Fact = { type: 'model.resumed', turn: 1, model: 'p/a' }
const requested: Fact = { type: 'model.requested', turn: 1, model: 'p/a' }
const ended: Fact = { type: 'agent.ended', turn: 1, reason: 'failed' }
const fellBack: Fact = { type: 'model.fell_back', turn: 1, from: 'p/a', to: 'q/b', failure: limited }
const retried = (code: 'rate_limited' | 'connection_lost'): Fact => ({
  type: 'model.retried',
  turn: 1,
  model: 'p/a',
  usage: noUsage,
  cost_usd: 0,
  attempt: 1,
  delay_ms: 500,
  failure: failure(code, 'no'),
})

/** The first entry is written at 1000, each that follows a millisecond later. */
test.each<readonly [string, readonly Fact[], { until: number | null; since: number | null }]>([
  ['nothing at first', [requested], { until: null, since: null }],
  ['the reset that a server named', [requested, paused], { until: 9_000, since: 1001 }],
  [
    'what it waits for since the first refusal',
    [retried('rate_limited'), paused, paused],
    { until: 9_000, since: 1000 },
  ],
  ['no more when it is over, though nobody answered yet', [paused, resumed, requested], { until: null, since: 1000 }],
  [
    'for patience the limit, not a lost connection',
    [retried('connection_lost'), paused],
    { until: 9_000, since: 1001 },
  ],
  ['nothing when the model has answered', [paused, resumed, settled({})], { until: null, since: null }],
  ['nothing when another answers', [paused, fellBack], { until: null, since: null }],
  ['nothing of work that has ended', [paused, ended], { until: null, since: null }],
])('who takes up a journal waits for %s', (_, facts, wanted) => {
  const pause = noPause()
  for (const { entry } of recordedOf(...facts.map((fact) => ['ana', fact] as const))) applyPause(pause, entry)
  expect(pause).toEqual(wanted)
})
