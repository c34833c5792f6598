import { test as property, fc } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { judgeSpawn, spawnRefusalText, type SpawnBounds } from '../../../src/rules/team/spawn-guard.ts'

const empty = { starts: [], atWork: 0, spent: null }
const here = { depth: 1, at: 100_000 }

describe('judgeSpawn', () => {
  test.each([
    ['nothing is limited', {}, empty, 'start'],
    ['the last of all', { agents: 2 }, { ...empty, starts: [0] }, 'start'],
    ['one too many', { agents: 2 }, { ...empty, starts: [0, 1] }, 'agents'],
    ['the last of this minute', { rate: 2 }, { ...empty, starts: [40_000, 40_001] }, 'start'],
    ['one too many in a minute', { rate: 2 }, { ...empty, starts: [40_001, 99_999] }, 'rate'],
    ['as deep as may be', { depth: 1 }, empty, 'start'],
    ['too deep', { depth: 0 }, empty, 'depth'],
    ['a place is free', { concurrency: 2 }, { ...empty, atWork: 1 }, 'start'],
    ['no place is free', { concurrency: 2 }, { ...empty, atWork: 2 }, 'wait'],
    ['the budget is used up', {}, { ...empty, spent: 'usd' }, 'budget'],
    [
      'what never passes goes before what does',
      { agents: 1, concurrency: 1 },
      { starts: [0], atWork: 1, spent: null },
      'agents',
    ],
  ] as const)('%s', (_, bounds, population, outcome) => {
    const verdict = judgeSpawn(bounds, population, here)
    expect(verdict.act === 'refuse' ? verdict.limit : verdict.act).toBe(outcome)
  })

  const bound = fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined })
  property.prop([
    fc.record({ agents: bound, rate: bound, depth: bound, concurrency: bound }),
    fc.array(fc.tuple(fc.nat(90_000), fc.nat(9), fc.nat(9))),
  ])('whatever is asked for, no limit is ever passed', (bounds: SpawnBounds, asked) => {
    const starts: number[] = []
    for (const [at, atWork, depth] of asked.toSorted(([a], [b]) => a - b)) {
      if (judgeSpawn(bounds, { starts, atWork, spent: null }, { at, depth }).act !== 'start') continue
      starts.push(at)
      expect(starts.length).toBeLessThanOrEqual(bounds.agents ?? Infinity)
      expect(starts.filter((start) => at - start < 60_000).length).toBeLessThanOrEqual(bounds.rate ?? Infinity)
      expect(atWork).toBeLessThan(bounds.concurrency ?? Infinity)
      expect(depth).toBeLessThanOrEqual(bounds.depth ?? Infinity)
    }
  })
})

test.each([
  ['agents', ['bo', 'cy'], 'Give the work to a worker that is running (bo, cy), or answer with what you have.'],
  ['agents', [], 'Answer with what you have.'],
  ['rate', [], 'Wait for results before you start more.'],
  ['depth', ['bo'], 'Leave it to the coordinator, or do it yourself.'],
  ['budget', ['bo'], 'Nobody begins anything new: answer with what you have.'],
] as const)('a refusal by %s says how to go on', (limit, running, remedy) => {
  expect(spawnRefusalText('ana', { limit, reason: 'why' }, running)).toBe(`ana is not started: why. ${remedy}`)
})
