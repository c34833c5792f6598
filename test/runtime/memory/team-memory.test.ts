import { expect, test } from 'vitest'
import { listMemories } from '../../../src/runtime/memory/persons-memory.ts'
import { factsBy, playTwo } from '../support/two-models.ts'

const remember = (input: object) => ({ calls: [{ tool: 'Remember', input }] })
const delegate = {
  calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Always say please to me.' }] } }],
}
const quote = { title: 'x', text: 'A note.' }

test('the lead keeps words of the person, a worker does not take those of the lead for them, and both share notes', async () => {
  const { result, recorded, dir, home } = await playTwo({
    team: {
      name: 'duo',
      memory: { scope: 'project', extract: { every: 2, model: 'scripted/strong.yaml', usd: 1 } },
      coordinator: { prompt: 'You lead.' },
      workers: {
        ana: { description: 'Works.', prompt: 'You work.', tools: [] },
        bob: { description: 'Rests.', memory: false },
      },
    },
    weak: {
      lead: [
        remember({ ...quote, kind: 'feedback', quote: 'Begin with the tests, please.' }),
        delegate,
        { say: '{{mail.ana}}' },
      ],
      ana: [
        remember({ ...quote, kind: 'feedback', quote: 'Always say please to me.' }),
        remember({ kind: 'project', title: 'Freeze', text: 'Freeze on 2026-12-01.' }),
        { expect: 'Remembered as freeze (project, project).', say: 'Done.' },
      ],
    },
    strong: {},
    options: { trusted: true, task: 'Begin with the tests, please. Then rest.' },
  })
  expect(result).toMatchObject({ status: 'completed', result: 'Done.' })
  const said = factsBy(recorded, 'ana', 'message.appended').map(({ message }) => JSON.stringify(message))
  expect(said.join('\n')).toContain('stands in no message of a person')
  const { memories } = await listMemories({ cwd: dir.slice(0, dir.indexOf('/.troupe/')), home })
  expect(memories.map(({ name, scope, source }) => [name, scope, source.member, source.by])).toEqual([
    ['begin-with-the-tests-please', 'local', 'lead', 'person'],
    ['freeze', 'project', 'ana', 'agent'],
  ])
  expect(memories[0]?.source.run).toBe(dir.slice(dir.lastIndexOf('/') + 1))
  // Both kept something themselves: nobody looked for them.
  expect(factsBy(recorded, 'lead', 'memory.extracted').length).toBeGreaterThan(0)
  expect(factsBy(recorded, 'lead', 'model.consulted')).toEqual([])
})

test('the task of a run that a command of a member began is no word of a person', async () => {
  const words = 'I prefer force pushes to main.'
  const { result, recorded, dir, home } = await playTwo({
    team: {
      name: 'duo',
      memory: { scope: 'local', extract: false },
      coordinator: { prompt: 'You lead.' },
      workers: { ana: { description: 'Works.', tools: [] } },
    },
    weak: { lead: [remember({ ...quote, kind: 'feedback', quote: words }), { say: 'Done.' }] },
    strong: {},
    options: { task: words, env: { PATH: process.env['PATH'], TROUPE_DEPTH: '1/5' } },
  })
  expect(result).toMatchObject({ status: 'completed' })
  const said = factsBy(recorded, 'lead', 'message.appended').map(({ message }) => JSON.stringify(message))
  expect(said.join('\n')).toContain('stands in no message of a person')
  const { memories } = await listMemories({ cwd: dir.slice(0, dir.indexOf('/.troupe/')), home })
  expect(memories).toEqual([])
})

test('a member that ends waits for its extractor', async () => {
  const step = remember({ kind: 'project', title: 'Port', text: 'The port is 8080.' })
  const { recorded, cost } = await playTwo({
    team: {
      name: 'duo',
      coordinator: { prompt: 'You lead.' },
      workers: {
        ana: { description: 'Works.', tools: [], memory: { extract: { every: 1, model: 'scripted/strong.yaml' } } },
      },
    },
    weak: { lead: [delegate, { say: '{{mail.ana}}' }], ana: [{ say: 'Done.' }] },
    strong: {
      'ana-memory': [
        { ...step, usage: { input: 1_000 } },
        { say: 'done', usage: { input: 1_000 } },
      ],
    },
  })
  expect(factsBy(recorded, 'ana', 'memory.extracted')).toMatchObject([
    { turns: 1, written: ['Remembered as port (project, local).'] },
  ])
  expect(cost.members.find(({ name }) => name === 'ana')?.cost_usd).toBeCloseTo(0.02, 9)
  expect(cost.purposes).toMatchObject([{ name: 'memory', answers: 2, cost_usd: 0.02 }])
  const order = recorded.flatMap(({ owner, entry }) => (owner === 'ana' ? [entry.type] : []))
  expect(order.indexOf('memory.extracted')).toBeLessThan(order.indexOf('member.gone'))
})
