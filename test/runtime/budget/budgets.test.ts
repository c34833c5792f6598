import { expect, test } from 'vitest'
import { openBudgets } from '../../../src/runtime/budget/budgets.ts'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { Budget, MemberCard } from '../../../src/protocol/team/team-card.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'

const isLimited = (budget: Budget, own: Budget): readonly boolean[] => {
  const members = sampleTeam().members.map((card) => ({ ...card, budget: own }))
  const treasury = openBudgets({ team: { budget, members }, now: () => 1_000, earlier: [] })
  return members.map((card) => treasury.allowance(card) !== null)
}

test('nothing is counted for members without a limit', () => {
  expect(isLimited({}, {})).toEqual([false, false])
  expect(isLimited({ agents: 8 }, {})).toEqual([false, false])
})

test.each<Budget>([{ usd: 1 }, { tokens: 100 }, { turns: 3 }, { minutes: 5 }])('%j limits everybody', (limit) => {
  expect(isLimited(limit, {})).toEqual([true, true])
  expect(isLimited({}, limit)).toEqual([true, true])
})

test.each<[budget: Budget, own: Budget]>([
  [{ minutes: 5 }, {}],
  [{}, { minutes: 5 }],
])('time limits %j and %j start anew when a person opens the run again', async (budget, own) => {
  const day = 86_400_000
  const lead = { ...sampleTeam().members[0], budget: own } as MemberCard
  const members = [lead]
  const said = (owner: string, at: number, fact: Fact): Recorded => ({
    owner,
    entry: { v: 1, seq: 1, id: `${owner}-1`, parent: null, at, ...fact },
  })
  const started = { incarnation: 'i1', executor: 'in-process', pid: 7 }
  const earlier = [
    said('team', 0, { type: 'member.spawned', member: 'lead', attempt: 1 }),
    said('lead', 1, { type: 'member.started', ...started }),
  ]
  const verdict = async (recorded: readonly Recorded[]) => {
    const purse = openBudgets({ team: { budget, members }, now: () => day + 1, earlier: recorded }).allowance(lead)
    const need = { fixed: { usd: 0, tokens: 1, turns: 1 }, rate: 0, want: 100, last: false }
    return (await purse?.reserve(need, new AbortController().signal))?.act
  }
  expect(await verdict(earlier)).toBe('stop')
  expect(await verdict([...earlier, said('team', day, { type: 'team.reopened' })])).toBe('go')
})
