import { expect, test } from 'vitest'
import { openTreasury } from '../../../src/runtime/budget/treasury.ts'
import type { Budget } from '../../../src/protocol/team-card.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'

const isLimited = (budget: Budget, own: Budget): readonly boolean[] => {
  const members = sampleTeam().members.map((card) => ({ ...card, budget: own }))
  const treasury = openTreasury({ team: { budget, members }, now: () => 1_000, earlier: [] })
  return members.map((card) => treasury.purse(card) !== null)
}

test('nothing is counted for members without a limit', () => {
  expect(isLimited({}, {})).toEqual([false, false])
  expect(isLimited({ agents: 8 }, {})).toEqual([false, false])
})

test.each<Budget>([{ usd: 1 }, { tokens: 100 }, { turns: 3 }, { minutes: 5 }])('%j limits everybody', (limit) => {
  expect(isLimited(limit, {})).toEqual([true, true])
  expect(isLimited({}, limit)).toEqual([true, true])
})
