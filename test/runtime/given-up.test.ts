import { expect, test } from 'vitest'
import { factsBy, playTwo } from './support/two-models.ts'

const usage = { input: 1_000, output: 100 }
const worker = { description: 'Works.', prompt: 'You work.', tools: ['LS'] }
const delegate = (...names: readonly string[]): object => ({
  calls: [{ tool: 'Delegate', input: { subtasks: names.map((name) => ({ worker: name, task: 'Find it.' })) } }],
})

test('an attempt that was paid for is in the cost though another model goes on', async () => {
  const { recorded, cost } = await playTwo({
    team: {
      name: 'duo',
      coordinator: { prompt: 'You lead.' },
      workers: { ana: { ...worker, fallback: ['scripted/strong.yaml'] } },
    },
    weak: { lead: [delegate('ana'), { say: 'over' }], ana: [{ fail: 'overloaded', usage }] },
    strong: { ana: [{ say: 'Found.', usage }] },
  })
  expect(factsBy(recorded, 'ana', 'model.given_up')).toMatchObject([{ model: 'scripted/weak.yaml', usage }])
  expect(cost.members.find(({ name }) => name === 'ana')).toMatchObject({
    answers: 1,
    usage: { input: 2_000, output: 200 },
    cost_usd: expect.closeTo(0.0012 + 0.02, 9) as number,
  })
})

test('an answer that was called off in the middle is in the cost of the run', async () => {
  const { recorded, result, cost } = await playTwo({
    team: {
      name: 'trio',
      coordinator: { prompt: 'You lead.', gather: { wait: 'any' } },
      workers: { quick: worker, slow: worker },
    },
    weak: {
      lead: [delegate('slow', 'quick'), { say: 'over' }],
      quick: [{ say: 'Found.' }],
      slow: [{ say: 'I look …', hang: true, usage }],
    },
    strong: {},
  })
  expect(factsBy(recorded, 'slow', 'agent.ended')).toMatchObject([{ reason: 'aborted_streaming' }])
  expect(cost.total).toMatchObject({ answers: 3, usage, cost_usd: expect.closeTo(0.0012, 9) as number })
  expect(result.cost_usd).toBeCloseTo(0.0012, 9)
})

test('so is one whose member was stopped: it leaves when the question is settled', async () => {
  const { recorded, result } = await playTwo({
    team: {
      name: 'trio',
      coordinator: { prompt: 'You lead.', gather: { wait: 'progressive' } },
      workers: { quick: worker, slow: worker },
    },
    weak: {
      lead: [
        delegate('slow', 'quick'),
        { calls: [{ tool: 'StopWorker', input: { worker: 'slow', reason: 'It is found.', grace: '0s' } }] },
        { say: 'over' },
      ],
      quick: [{ say: 'Found.' }],
      slow: [{ say: 'I look …', hang: true, usage }],
    },
    strong: {},
  })
  const last = recorded.flatMap(({ owner, entry }) => (owner === 'slow' ? [entry.type] : []))
  expect(last.slice(-3)).toEqual(['model.given_up', 'member.drained', 'member.gone'])
  expect(result.cost_usd).toBeCloseTo(0.0012, 9)
})
