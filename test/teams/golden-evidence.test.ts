import { expect, test } from 'vitest'
import { call, delegate, shell, unattended, worker, type Scene } from './support/golden-scene.ts'
import { inEveryVoice, playGolden } from './support/play-golden.ts'

/** What binds a worker, what became of its programs, and the word that its answers run out. */
const scenes: readonly Scene[] = [
  {
    name: 'rule-of-the-lead-that-binds-its-worker',
    team: { coordinator: { prompt: 'You lead.', permissions: { deny: ['Bash(rm *)'] } } },
    workers: { a: worker({ tools: ['Bash'], permissions: { allow: ['Bash'] } }) },
    script: {
      lead: [delegate({ worker: 'a', task: 'Tidy up.' }), { expect: ['Nothing removed.', '1 denied'], say: 'Kept.' }],
      a: [call('Bash', { command: 'rm keep.txt' }), { expect: 'Bash(rm *)', say: 'Nothing removed.' }],
    },
    options: unattended,
    requests: 4,
  },
  {
    name: 'program-that-was-killed',
    workers: { a: shell },
    script: {
      lead: [delegate({ worker: 'a', task: 'Run it.' }), { expect: 'SIGKILL', say: 'It was killed.' }],
      a: [call('Bash', { command: 'kill -KILL $$' }), { expect: 'SIGKILL', say: 'It did not come to its end.' }],
    },
    options: unattended,
    requests: 4,
  },
  {
    name: 'answers-that-run-out',
    workers: { a: worker({ max_turns: 2 }) },
    script: {
      lead: [delegate({ worker: 'a', task: 'Look.' }), { expect: 'Only one.', say: 'One.' }],
      a: [call('LS', { path: '.' }), { expect: 'the last one of this work', say: 'Only one.' }],
    },
    requests: 4,
  },
]

test.for(inEveryVoice(scenes))('$name, $voice', async ({ scene, voice }) => {
  expect(await playGolden(scene, voice)).toBe(scene.requests)
})
