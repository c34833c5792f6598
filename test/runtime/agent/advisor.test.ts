import { expect, test } from 'vitest'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import { applyNotices, emptyNotices } from '../../../src/projections/screen/notices.ts'
import { systemClock } from '../../../src/runtime/actors/clock.ts'
import { forkRun } from '../../../src/runtime/run/fork-run.ts'
import { resumeTeam } from '../../../src/runtime/run/resume-team.ts'
import { recordOfRun } from '../../../src/runtime/runs/read-runs.ts'
import { factsBy, playTwo, type TwoModels } from '../support/two-models.ts'

const usage = { input: 1_000, output: 100 }
const duo = (advisor: unknown, more: object = {}): object => ({
  name: 'duo',
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Works.', prompt: 'You work.', tools: [], advisor, ...more } },
})
const lead = [
  { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Choose.' }] } }] },
  { say: 'ana: {{mail.ana}}' },
]
const ask = (more: object = {}) => ({
  calls: [{ tool: 'Advisor', input: { question: 'Which way?', context: 'Two ways.' } }],
  ...more,
})
const strong: TwoModels['strong'] = {
  'ana-advisor': [
    { expect: ['You advise an agent', 'Choose.', 'Two ways.', 'Which way?'], say: 'The left one.', usage },
  ],
}
const results = (recorded: readonly Recorded[]): readonly string[] =>
  factsBy(recorded, 'ana', 'message.appended').flatMap(({ message }) =>
    message.role === 'tool' ? message.results.map(({ content }) => JSON.stringify(content)) : [],
  )

test('a member gets advice, and what it costs counts to the member, the team and the model', async () => {
  const weak = { lead, ana: [ask({ usage }), { expect: ['It is advice', 'The left one.'], say: 'Left.', usage }] }
  const { result, recorded, cost } = await playTwo({ team: duo('scripted/strong.yaml'), weak, strong })
  expect(result).toMatchObject({ status: 'completed', result: 'ana: Left.' })
  expect(factsBy(recorded, 'ana', 'model.consulted')).toMatchObject([
    { purpose: 'advice', model: 'scripted/strong.yaml', call_id: 'ana-1-1', cost_usd: 0.02 },
  ])
  const own = 2 * (0.001 + 0.0002)
  expect(result.members.find(({ id }) => id === 'ana@duo')).toMatchObject({ turns: 2 })
  expect(result.cost_usd).toBeCloseTo(own + 0.02, 9)
  expect(cost.members.find(({ name }) => name === 'ana')?.cost_usd).toBeCloseTo(own + 0.02, 9)
  expect(cost.models.find(({ name }) => name === 'scripted/strong.yaml')).toMatchObject({
    usage: { input: 1_000, output: 100 },
  })
})

test('it may be asked only so often in a run', async () => {
  const weak = { lead, ana: [ask(), ask(), { expect: 'may be called once in a run', say: 'Left.' }] }
  const advisor = { model: 'scripted/strong.yaml', max_uses: 1 }
  const { result, recorded } = await playTwo({ team: duo(advisor), weak, strong })
  expect(result.result).toBe('ana: Left.')
  expect(factsBy(recorded, 'ana', 'model.consulted')).toHaveLength(1)
  expect(factsBy(recorded, 'ana', 'call.limited')).toMatchObject([{ tool: 'Advisor', limit: 1, then: 'block' }])
})

test('nor may it after a kill, wherever that came, and what it said is not paid twice', async () => {
  const weak = { lead, ana: [ask(), ask(), { say: 'Left.' }] }
  const advisor = { model: 'scripted/strong.yaml', max_uses: 1 }
  const { recorded, dir, home } = await playTwo({ team: duo(advisor), weak, strong })
  for (const { id } of recorded.flatMap(({ owner, entry }) => (owner === 'ana' ? [entry] : []))) {
    const fork = forkRun(dir, { at: id, home, clock: systemClock() })
    expect(await (await resumeTeam(fork, { home, env: {} })).result).toMatchObject({ result: 'ana: Left.' })
    const asked = recordOfRun(fork).recorded
    expect(factsBy(asked, 'ana', 'call.started')).toHaveLength(1)
    expect(factsBy(asked, 'ana', 'model.consulted')).toHaveLength(1)
    expect(results(asked).filter((text) => text.includes('It is advice'))).toHaveLength(1)
  }
})

test('a budget that has no room for advice says so, and the member goes on by itself', async () => {
  const weak = { lead, ana: [ask(), { expect: ['could not be asked', 'Go on by yourself'], say: 'Left, I think.' }] }
  // Whatever is asked of the strong model costs more than this.
  const poor = duo('scripted/strong.yaml', { budget: { usd: 0.012 } })
  const { result, recorded } = await playTwo({ team: poor, weak, strong: { 'ana-advisor': [] } })
  expect(result).toMatchObject({ status: 'completed', result: 'ana: Left, I think.' })
  expect(factsBy(recorded, 'ana', 'model.consulted')).toEqual([])
  expect(results(recorded)[0]).toContain('is used up')
  const notices = emptyNotices()
  for (const each of recorded) applyNotices(notices, each)
  expect(notices.map(({ text }) => text)).toContain(
    'ana goes on without advice: its own budget of dollars has no room for it',
  )
})

test('advice that the budget of the team has no room for cuts no work short', async () => {
  const weak = { lead, ana: [ask(), { expect: 'Go on by yourself', say: 'Left, I think.' }] }
  const team = { ...duo('scripted/strong.yaml'), budget: { usd: 0.06 } }
  const { result, recorded } = await playTwo({ team, weak, strong: { 'ana-advisor': [] } })
  expect(factsBy(recorded, 'ana', 'budget.exhausted')).toMatchObject([{ scope: 'team', aside: 'advice' }])
  expect(result).toMatchObject({ status: 'completed', result: 'ana: Left, I think.' })
})

test('an advisor that fails is no reason to stop', async () => {
  const failing = { 'ana-advisor': [{ fail: 'overloaded' }] }
  const weak = { lead, ana: [ask(), { expect: 'The advisor could not be asked', say: 'Left.' }] }
  const { result } = await playTwo({ team: duo('scripted/strong.yaml'), weak, strong: failing })
  expect(result.result).toBe('ana: Left.')
})

test('a coordinator may have one, too, except while it may only answer', async () => {
  const team = {
    name: 'duo',
    coordinator: { prompt: 'You lead.', advisor: 'scripted/strong.yaml', gather: { rounds: 1 } },
    workers: { ana: { description: 'Works.', prompt: 'You work.' } },
  }
  const weak = {
    lead: [
      ask(),
      { ...lead[0], expect: 'Both.' },
      ask({ expect: 'Done.' }),
      { expect: 'Advisor is not available: the last round of requests is over', say: 'Yes.' },
    ],
    ana: [{ say: 'Done.' }],
  }
  const { result } = await playTwo({ team, weak, strong: { 'lead-advisor': [{ say: 'Both.' }] } })
  expect(result).toMatchObject({ status: 'completed', result: 'Yes.' })
})
