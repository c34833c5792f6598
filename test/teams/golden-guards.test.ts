import { expect, test } from 'vitest'
import { call, delegate, worker, type Scene } from './support/golden-scene.ts'
import { inEveryVoice, playGolden } from './support/play-golden.ts'

/** What stops whoever would start more than it may, and how it goes on. */
const scenes: readonly Scene[] = [
  {
    name: 'runaway-delegator-stopped-at-its-cap',
    team: { limits: { requests: 3 } },
    workers: { a: worker() },
    script: {
      lead: [
        delegate({ worker: 'a', task: 'Look.' }),
        delegate(...['again', 'once more', 'for ever'].map((how) => ({ worker: 'a', task: `Look ${how}.` }))),
        { expect: 'a: not delegated: 3 pieces of work are all', say: 'Looked three times.' },
      ],
      a: [{ say: 'Once.' }, { say: 'Again.' }, { say: 'Once more.' }],
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

test.for(inEveryVoice(scenes))('$name, $voice', async ({ scene, voice }) => {
  expect(await playGolden(scene, voice)).toBe(scene.requests)
})
