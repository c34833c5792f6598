import { describe, expect, test } from 'vitest'
import { applyTally, emptyTally, resultOf } from '../../../src/projections/team/result.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { noUsage } from '../../../src/protocol/conversation/message.ts'
import { recordedOf, settled } from '../journal-of.ts'

function tallied(...said: readonly (readonly [string, Fact])[]) {
  const tally = emptyTally()
  for (const recorded of recordedOf(...said)) applyTally(tally, recorded)
  return resultOf(tally, ['lead@notes', 'writer@notes'])
}

const ended: Fact = { type: 'agent.ended', turn: 2, reason: 'completed' }

describe('the result of a run', () => {
  test('lists members that never started', () => {
    expect(tallied().members).toEqual([
      { id: 'lead@notes', status: 'not_started', turns: 0, reason: null, usage: noUsage, cost_usd: 0 },
      { id: 'writer@notes', status: 'not_started', turns: 0, reason: null, usage: noUsage, cost_usd: 0 },
    ])
  })

  test('adds up turns, tokens and dollars per member and in all', () => {
    const result = tallied(
      ['lead', settled({ input: 10, output: 1, cache_read: 5 }, { cost_usd: 0.5 })],
      ['lead', settled({ input: 20, output: 2, cache_write: 7 }, { cost_usd: 0.25 })],
      ['writer', settled({ input: 100 }, { cost_usd: 1 })],
    )
    const [lead, writer] = result.members
    expect(lead).toMatchObject({
      turns: 2,
      usage: { input: 30, output: 3, cache_read: 5, cache_write: 7 },
      cost_usd: 0.75,
    })
    expect(writer).toMatchObject({ turns: 1, usage: { input: 100 }, cost_usd: 1 })
    expect(result.usage).toEqual({ input: 130, output: 3, cache_read: 5, cache_write: 7 })
    expect(result.cost_usd).toBe(1.75)
  })

  test('does not know the cost when one price is unknown', () => {
    const result = tallied(
      ['lead', settled({ input: 1 }, { cost_usd: 0.5 })],
      ['writer', settled({ input: 1 }, { cost_usd: null })],
    )
    expect(result.cost_usd).toBeNull()
    expect(result.members.map(({ cost_usd }) => cost_usd)).toEqual([0.5, null])
    expect(
      tallied(['lead', settled({ input: 1 }, { cost_usd: null })], ['lead', settled({}, { cost_usd: 2 })]).cost_usd,
    ).toBeNull()
  })

  test('a call that used no token costs nothing', () => {
    expect(tallied(['lead', settled({}, { cost_usd: null })]).cost_usd).toBe(0)
  })

  test('a failed call is no turn, its tokens count', () => {
    expect(tallied(['lead', settled({ input: 9 }, { stop: 'error' })]).members[0]).toMatchObject({
      turns: 0,
      usage: { input: 9 },
    })
  })

  test('keeps reasoning tokens when there were some', () => {
    expect(tallied(['lead', settled({ reasoning: 3 })], ['lead', settled({})]).usage.reasoning).toBe(3)
    expect(tallied(['lead', settled({})]).usage).not.toHaveProperty('reasoning')
  })

  test.each([
    ['starting', { type: 'member.started', incarnation: 'i', executor: 'in-process', pid: 1 }],
    ['busy', { type: 'member.woke' }],
    ['idle', { type: 'member.idled' }],
    ['draining', { type: 'member.drained' }],
    ['gone', { type: 'member.gone', reason: 'end' }],
  ] as const)('a member is %s after %j', (status, fact) => {
    expect(tallied(['writer', fact]).members[1]?.status).toBe(status)
  })

  test.each([
    ['starting', { type: 'member.spawned', member: 'writer', attempt: 1 }],
    ['crashed', { type: 'member.crashed', member: 'writer', error: 'x' }],
    ['crashed', { type: 'member.lost', member: 'writer', reason: 'x' }],
  ] as const)('the leader says that a member is %s by %j', (status, fact) => {
    expect(tallied(['team', fact]).members[1]?.status).toBe(status)
  })

  test('says why the latest work of a member ended', () => {
    expect(tallied(['lead', { type: 'agent.ended', turn: 1, reason: 'max_turns' }]).members[0]?.reason).toBe(
      'max_turns',
    )
    expect(
      tallied(['lead', { type: 'agent.ended', turn: 1, reason: 'max_turns' }], ['lead', ended]).members[0]?.reason,
    ).toBe('completed')
  })
})
