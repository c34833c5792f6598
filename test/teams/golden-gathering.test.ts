import { expect, test } from 'vitest'
import {
  call,
  delegate,
  does,
  forEver,
  shell,
  thinking,
  timeRunsOut,
  unattended,
  untilCue,
  worker,
  type Scene,
} from './support/golden-scene.ts'
import { inEveryVoice, playGolden } from './support/play-golden.ts'

const point = {
  type: 'object',
  properties: { x: { type: 'integer' }, y: { type: 'integer' } },
  required: ['x', 'y'],
  additionalProperties: false,
}

/** When a round of requests is over, and what wakes a lead that waits for it. */
const scenes: readonly Scene[] = [
  {
    name: 'chatter-during-a-gather',
    workers: { chatty: worker(), other: shell },
    script: {
      lead: [
        delegate({ worker: 'chatty', task: 'Look.' }, { worker: 'other', task: 'Look.' }),
        { expect: ['I have begun.', 'Seen.', 'Seen as well.'], say: 'Both have seen it.' },
      ],
      chatty: [call('SendMessage', { to: 'lead', text: 'I have begun.' }), { say: 'Seen.' }],
      other: [untilCue, { say: 'Seen as well.' }],
    },
    cue: [does('chatty', 'member.replied')],
    options: unattended,
    requests: 6,
  },
  {
    name: 'one-failure-is-enough',
    gather: { on_failure: { retry: 0, then: 'fail' } },
    workers: { bad: shell, slow: shell },
    script: {
      lead: [delegate({ worker: 'bad', task: 'Look.' }, { worker: 'slow', task: 'Look.' })],
      bad: [untilCue, { fail: { code: 'refused', message: 'I must not.' } }],
      slow: [forEver],
    },
    cue: [does('slow', 'call.started')],
    options: unattended,
    requests: 4,
  },
  {
    name: 'progressive-to-the-end',
    gather: { wait: 'progressive' },
    workers: { quick: worker(), slow: shell },
    script: {
      lead: [
        delegate({ worker: 'quick', task: 'Find it.' }, { worker: 'slow', task: 'Find it.' }),
        { expect: 'slow (r2): no result yet', say: 'I wait for slow.' },
        { expect: 'The round of requests is over', say: '{{mail.quick}}, {{mail.slow}}' },
      ],
      quick: [{ say: 'line 7' }],
      slow: [untilCue, { say: 'line 8' }],
    },
    cue: [does('lead', 'agent.ended')],
    options: unattended,
    requests: 6,
  },
  {
    name: 'another-round',
    workers: { a: worker(), b: worker() },
    script: {
      lead: [
        delegate({ worker: 'a', task: 'Look.' }),
        { expect: 'Left: 4 of 5 rounds.', ...delegate({ worker: 'b', task: 'Look too.', context: '{{mail.a}}' }) },
        { say: 'Both: {{mail.a}}, {{mail.b}}' },
      ],
      a: [{ say: 'seen' }],
      b: [{ expect: 'seen', say: 'seen as well' }],
    },
    requests: 5,
  },
  {
    name: 'contract',
    gather: { on_failure: { retry: 0 } },
    workers: { good: worker(), mended: worker(), broken: worker() },
    script: {
      lead: [
        delegate(...['good', 'mended', 'broken'].map((name) => ({ worker: name, task: 'Where?', returns: point }))),
        { expect: ['{"x":1,"y":2}', 'broken (r3): failed', 'broken_contract'], say: 'Two of three.' },
      ],
      good: [{ expect: 'JSON Schema', say: '```json\n{"x": 1, "y": 2}\n```' }],
      mended: [{ say: 'At 3, 4.' }, { expect: 'not one JSON value', say: '{"x": 3, "y": 4}' }],
      broken: [{ say: '{"x": 5}' }, { expect: "must have required property 'y'", say: '{"x": 5, "z": 6}' }],
    },
    requests: 7,
  },
  {
    name: 'what-builds-on-a-failure',
    gather: { on_failure: { retry: 0 } },
    workers: { a: worker(), b: worker(), c: worker() },
    script: {
      lead: [
        delegate(
          { worker: 'a', task: 'Begin.' },
          { worker: 'b', task: 'Go on.', depends_on: ['a'] },
          { worker: 'c', task: 'Apart.' },
        ),
        { expect: 'b (r2): failed: it builds on r1', say: 'Only c: {{mail.c}}' },
      ],
      a: [{ fail: 'server_error' }],
      c: [{ say: 'fine' }],
    },
    requests: 4,
  },
  {
    name: 'what-would-build-on-a-failure',
    gather: { on_failure: { retry: 0 } },
    workers: { a: worker(), b: worker(), c: worker() },
    script: {
      lead: [
        delegate({ worker: 'a', task: 'Begin.' }, { worker: 'c', task: 'Apart.' }),
        {
          expect: 'a (r1): failed',
          ...delegate(
            { worker: 'b', task: 'Go on.', depends_on: ['r1'] },
            { worker: 'c', task: 'Go on.', depends_on: ['r2'] },
          ),
        },
        { expect: 'b: not delegated: r1 was not done', say: 'Only c: {{mail.c}}' },
      ],
      a: [{ fail: 'server_error' }],
      c: [{ say: 'fine' }, { expect: '| fine', say: 'finer' }],
    },
    requests: 6,
  },
  {
    name: 'told-and-then-stopped',
    gather: { wait: 'progressive', on_failure: { then: 'continue' } },
    workers: { quick: worker(), slow: shell },
    script: {
      lead: [
        delegate({ worker: 'quick', task: 'Find it.' }, { worker: 'slow', task: 'Find it.' }),
        { expect: 'slow (r2): no result yet', ...call('SendMessage', { to: 'slow', text: 'It is found.' }) },
        { expect: 'Sent to slow', ...call('StopWorker', { worker: 'slow', reason: 'it is found', grace: '0s' }) },
        { expect: 'slow (r2): cancelled: it is found', say: '{{mail.quick}}' },
      ],
      quick: [{ say: 'line 7' }],
      slow: [forEver],
    },
    options: unattended,
    requests: 6,
  },
  {
    name: 'reviewers-then-a-synthesiser-and-no-third-round',
    gather: { rounds: 2 },
    workers: { ana: worker(), bo: worker(), editor: worker() },
    script: {
      lead: [
        delegate({ worker: 'ana', task: 'Review.' }, { worker: 'bo', task: 'Review.' }),
        {
          expect: 'Left: 1 of 2 rounds.',
          ...delegate({ worker: 'editor', task: 'Join.', context: '{{mail.ana}}, {{mail.bo}}' }),
        },
        { expect: 'This was the last of 2 rounds', ...delegate({ worker: 'ana', task: 'Again.' }) },
        { expect: 'Delegate is not available: the last round', say: '{{mail.editor}}' },
      ],
      ana: [{ say: 'good' }],
      bo: [{ say: 'bad' }],
      editor: [{ expect: 'good, bad', say: 'Good and bad.' }],
    },
    requests: 7,
  },
]

/** Their time runs out with the cue: once is enough. */
const timed: readonly Scene[] = [
  {
    name: 'deadline-of-one',
    gather: { timeout: '2h' },
    workers: { quick: worker(), slow: worker() },
    script: {
      lead: [
        delegate({ worker: 'quick', task: 'Look.' }, { worker: 'slow', task: 'Look.', deadline: '30m' }),
        { expect: 'slow (r2): no result in time: its deadline passed', say: 'Only quick: {{mail.quick}}' },
      ],
      quick: [{ say: 'Seen.' }],
      slow: [thinking],
    },
    cue: [does('team', 'request.settled'), does('slow', 'model.requested')],
    options: timeRunsOut,
    requests: 4,
  },
  {
    name: 'deadline-of-one-in-the-queue',
    workers: { one: shell },
    script: {
      lead: [
        delegate(
          { worker: 'one', task: 'Look.', name: 'first' },
          { worker: 'one', task: 'Look again.', deadline: '1s' },
        ),
        { expect: ['Evidence: Bash 1.', 'one (r2): no result in time'], say: 'Only once: {{mail.one}}' },
      ],
      one: [untilCue, { say: 'Seen.' }],
    },
    cue: [does('team', 'request.settled')],
    options: unattended,
    requests: 4,
  },
  {
    name: 'deadline-of-the-round',
    gather: { timeout: '30m' },
    workers: { quick: worker(), slow: worker() },
    script: {
      lead: [
        delegate({ worker: 'quick', task: 'Look.' }, { worker: 'slow', task: 'Look.' }),
        { expect: ['over (timeout)', 'slow (r2): no result in time'], say: 'Only quick: {{mail.quick}}' },
      ],
      quick: [{ say: 'Seen.' }],
      slow: [thinking],
    },
    cue: [does('team', 'request.settled'), does('slow', 'model.requested')],
    options: timeRunsOut,
    requests: 4,
  },
]

test.for(inEveryVoice(scenes))('$name, $voice', async ({ scene, voice }) => {
  expect(await playGolden(scene, voice)).toBe(scene.requests)
})

test.for(timed)('$name', async (scene) => {
  expect(await playGolden(scene)).toBe(scene.requests)
})
