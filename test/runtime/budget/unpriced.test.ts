import { expect, test } from 'vitest'
import { failedAnswer, noUsage } from '../../../src/protocol/conversation/message.ts'
import type { ModelRequest } from '../../../src/protocol/models/model.ts'
import type { MemberCard } from '../../../src/protocol/team/team-card.ts'
import { openBudgets } from '../../../src/runtime/budget/budgets.ts'
import { openMeter } from '../../../src/runtime/budget/meter.ts'

const request = { agent: 'ana', system: '', messages: [], tools: [] }

async function spendOn(
  team: object,
  member: object = {},
  wishes: Partial<ModelRequest> = {},
  usd: number | null = null,
) {
  const card = { name: 'ana', role: 'worker', budget: member } as unknown as MemberCard
  const budgets = openBudgets({ team: { budget: { usd: 1, ...team }, members: [card] }, now: () => 0, earlier: [] })
  const allowance = budgets.allowance(card)
  if (allowance === null) throw new Error('nothing is limited')
  const said: string[] = []
  let asked = 0
  const meter = openMeter(allowance, async () => usd)
  const note = (fact: { type: string }): void => void said.push(fact.type)
  const call = { model: 'mine/free', request: { ...request, ...wishes }, signal: new AbortController().signal, note }
  const message = await meter.spend(call, async () => {
    asked += 1
    return { ...failedAnswer('mine/free', { code: 'refused', message: 'no' }), usage: noUsage }
  })
  return { code: message.failure?.code, asked, said }
}

test('a model without a price is asked after a warning, or not at all', async () => {
  expect(await spendOn({})).toEqual({ code: 'refused', asked: 1, said: ['warning.raised'] })
  expect(await spendOn({ unpriced: 'refuse' })).toEqual({ code: 'forbidden', asked: 0, said: [] })
  expect(await spendOn({ unpriced: 'refuse' }, { unpriced: 'allow' })).toMatchObject({ asked: 1 })
  expect(await spendOn({}, { unpriced: 'refuse' })).toMatchObject({ code: 'forbidden', asked: 0 })
})

test('the hours of a container that nobody prices are warned of, where dollars are limited', async () => {
  const wishes = { sampling: { server_tools: ['code_execution' as const] } }
  expect((await spendOn({}, {}, wishes, 0)).said).toEqual(['warning.raised'])
  expect((await spendOn({}, {}, { sampling: { server_tools: ['web_search'] } }, 0)).said).toEqual([])
  expect(await spendOn({ unpriced: 'refuse' }, {}, wishes, 0)).toEqual({ code: 'forbidden', asked: 0, said: [] })
})
