import { expect, test } from 'vitest'
import { call, delegate, playGolden, worker, type Scene } from './support/golden-scene.ts'

const hand = (n: number, name = 'hand') => ({ worker: name, task: `Do part ${n}.` })
const write = (to: string) => ({ tool: 'SendMessage', input: { to, text: 'Begin.' } })
const stopped = 'is not started: 4 starts of members are all that budget.agents allows'

/** What stops whoever would start more than it may, and how it goes on. */
const scenes: readonly Scene[] = [
  {
    name: 'runaway-spawner-stopped-at-its-cap',
    team: { budget: { agents: 4 } },
    workers: { hand: worker({ replicas: 6 }) },
    script: {
      lead: [
        delegate(...[1, 2, 3].map((n) => hand(n)), hand(4, 'hand-4')),
        { expect: [`hand-4: not delegated: hand-4 ${stopped}`, 'Did 3'], say: 'MORE WORK NEEDED: part 4 is missing.' },
        { calls: [...delegate(hand(4, 'hand-4')).calls, write('hand-5')] },
        { expect: `Not sent: hand-5 ${stopped}`, ...delegate(hand(4)) },
        { expect: 'Did 1 and 4', say: 'All four parts, by three hands.' },
      ],
      'hand-1': [{ say: 'Did 1' }, { expect: 'Do part 4.', say: 'Did 1 and 4' }],
      'hand-2': [{ say: 'Did 2' }],
      'hand-3': [{ say: 'Did 3' }],
    },
    requests: 9,
  },
  {
    name: 'runaway-delegator-stopped-at-its-cap',
    team: { limits: { requests: 3 } },
    workers: { a: worker() },
    script: {
      lead: [
        delegate({ worker: 'a', task: 'Look.' }),
        { say: 'MORE WORK NEEDED: look again.' },
        delegate(...['again', 'once more', 'for ever'].map((how) => ({ worker: 'a', task: `Look ${how}.` }))),
        { expect: 'a: not delegated: 3 pieces of work are all', say: 'Looked three times.' },
      ],
      a: [{ say: 'Once.' }, { say: 'Twice more.' }],
    },
    requests: 6,
  },
  {
    name: 'worker-that-would-start-another',
    team: { limits: { depth: 1 } },
    workers: { a: worker(), b: worker() },
    script: {
      lead: [delegate({ worker: 'a', task: 'Look.' }), { say: '{{mail.a}}' }],
      a: [call('SendMessage', { to: 'b', text: 'Look for me.' }), { expect: 'limits.depth', say: 'Looked myself.' }],
    },
    requests: 4,
  },
]

test.for(scenes)('$name', async (scene) => {
  expect(await playGolden(scene)).toBe(scene.requests)
})
