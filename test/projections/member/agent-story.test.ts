import { describe, expect, test } from 'vitest'
import { applyStory, emptyStory, refusesTooMuch, type Denials } from '../../../src/projections/member/agent-story.ts'
import { failure } from '../../../src/protocol/conversation/failure.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { Decision } from '../../../src/protocol/permissions/permission.ts'
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
  const story = emptyStory()
  for (const { entry } of recordedOf(...facts.map((fact) => ['ana', fact] as const))) applyStory(story, entry)
  expect(story.pause).toEqual(wanted)
})

describe('denials', () => {
  const denied = { behavior: 'deny', source: 'classifier' } as const
  const count = (...decisions: readonly Pick<Decision, 'behavior' | 'source'>[]): Denials => {
    const story = emptyStory()
    const facts = decisions.map((decision): Fact => {
      return { type: 'permission.decided', call_id: 'a', tool: 'Bash', decision: { ...decision, reason: 'so' } }
    })
    for (const { entry } of recordedOf(...facts.map((fact) => ['ana', fact] as const))) applyStory(story, entry)
    return story.denials
  }

  test('three in a row are too many; anything that a person or the classifier else says begins anew', () => {
    expect(refusesTooMuch(count(denied, denied))).toBe(false)
    expect(refusesTooMuch(count(denied, denied, denied))).toBe(true)
    expect(refusesTooMuch(count(denied, denied, { ...denied, behavior: 'allow' }, denied))).toBe(false)
    expect(refusesTooMuch(count(denied, denied, { behavior: 'deny', source: 'human' }, denied))).toBe(false)
  })

  test('twenty in all are too many, whatever came between', () => {
    const pairs = Array.from({ length: 10 }, () => [denied, denied, { ...denied, behavior: 'allow' } as const]).flat()
    expect(refusesTooMuch(count(...pairs.slice(0, -2)))).toBe(false)
    expect(refusesTooMuch(count(...pairs))).toBe(true)
  })

  test('a denial by a person, a rule or a mode is meant, and not counted', () => {
    const sources = ['human', 'project', 'mode', 'nobody', 'bounds'] as const
    const many = sources.flatMap((source) => Array.from({ length: 9 }, () => ({ behavior: 'deny', source }) as const))
    expect(count(...many)).toEqual(emptyStory().denials)
  })
})

test('a wait for others lasts from the rest to the next question', () => {
  const story = emptyStory()
  const facts: Fact[] = [requested, { type: 'agent.parked', turn: 1 }, requested, requested]
  for (const { entry } of recordedOf(...facts.map((fact) => ['lead', fact] as const))) applyStory(story, entry)
  expect(story.waits).toEqual({ lengths: [1], since: null, extended: false })
})

test('of many waits the latest are kept', () => {
  const story = emptyStory()
  const round: Fact[] = [{ type: 'agent.parked', turn: 1 }, requested]
  const facts = Array.from({ length: 60 }, () => round).flat()
  for (const { entry } of recordedOf(...facts.map((fact) => ['lead', fact] as const))) applyStory(story, entry)
  expect(story.waits.lengths).toHaveLength(50)
})
