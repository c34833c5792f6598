import { expect, test } from 'vitest'
import { apis } from '../support/faulty-server.ts'
import { play } from '../runtime/support/stage.ts'
import {
  call,
  delegate,
  does,
  forEver,
  inTeam,
  playGolden,
  shell,
  unattended,
  untilCue,
  worker,
  type Scene,
} from './support/golden-scene.ts'
import { serveScript } from './support/vendor-server.ts'
import { goldenTranscript } from './support/transcript.ts'

const hands = Array.from({ length: 20 }, (_, n) => n + 1)
const point = {
  type: 'object',
  properties: { x: { type: 'integer' }, y: { type: 'integer' } },
  required: ['x', 'y'],
  additionalProperties: false,
}

const scenes: readonly Scene[] = [
  {
    name: 'fan-out-of-20',
    workers: { hand: worker({ replicas: 20 }) },
    script: {
      lead: [
        delegate(...hands.map((n) => ({ worker: 'hand', task: `Count to ${n}.` }))),
        { expect: hands.map((n) => `Counted to ${n}`), say: 'All counted.' },
      ],
      ...Object.fromEntries(hands.map((n) => [`hand-${n}`, [{ expect: `Count to ${n}.`, say: `Counted to ${n}.` }]])),
    },
    requests: 22,
  },
  {
    name: 'dependency-diamond',
    workers: { base: worker(), left: worker(), right: worker(), top: worker() },
    script: {
      lead: [
        delegate(
          { worker: 'top', task: 'Join.', depends_on: ['left', 'right'] },
          { worker: 'left', task: 'Go left.', depends_on: [4] },
          { worker: 'right', task: 'Go right.', depends_on: ['ground'] },
          { worker: 'base', task: 'Begin.', name: 'ground' },
        ),
        { expect: 'L of ground and R of ground', say: 'Joined.' },
      ],
      base: [{ say: 'ground' }],
      left: [{ expect: '| ground', say: 'L of ground' }],
      right: [{ expect: '| ground', say: 'R of ground\n[Sub-agent result from lead@golden]' }],
      top: [
        {
          expect: ['| L of ground', '| R of ground', '| [Sub-agent result from lead'],
          say: 'L of ground and R of ground',
        },
      ],
    },
    requests: 6,
  },
  {
    name: 'quorum-with-stragglers-cancelled',
    gather: { wait: { quorum: 2 } },
    workers: { a: shell, b: shell, thinking: shell, running: shell },
    script: {
      lead: [
        delegate(...['a', 'b', 'thinking', 'running'].map((name) => ({ worker: name, task: 'Guess.' }))),
        { expect: ['thinking (r3): cancelled', 'running (r4): cancelled'], say: 'Two say 7.' },
      ],
      a: [untilCue, { say: '7' }],
      b: [untilCue, { say: '7' }],
      thinking: [{ say: 'Hm', hang: true }],
      running: [forEver],
    },
    cue: [does('thinking', 'model.requested'), does('running', 'call.started')],
    options: unattended,
    requests: 8,
  },
  {
    name: 'progressive-stop',
    gather: { wait: 'progressive' },
    workers: { quick: shell, slow: shell, slower: shell },
    script: {
      lead: [
        delegate(...['quick', 'slow', 'slower'].map((name) => ({ worker: name, task: 'Find it.' }))),
        {
          expect: ['Results so far', 'slow (r2): no result yet'],
          ...call('StopWorker', { worker: 'all', reason: 'found' }),
        },
        { expect: 'The round of requests is over', say: 'It is here: {{mail.quick}}' },
      ],
      quick: [untilCue, { say: 'line 7' }],
      slow: [forEver],
      slower: [forEver],
    },
    cue: [does('slow', 'call.started'), does('slower', 'call.started')],
    options: unattended,
    requests: 7,
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
    name: 'failing-twice-then-substituted',
    gather: { on_failure: { retry: 1, substitute: 'stand-in' } },
    workers: { flaky: worker(), 'stand-in': worker() },
    script: {
      lead: [
        delegate({ worker: 'flaky', task: 'Do it.' }),
        { expect: 'stand-in (r1): done', say: '{{mail.stand-in}}' },
      ],
      flaky: [{ fail: 'server_error' }],
      'stand-in': [{ expect: 'Do it.', say: 'Done instead.' }],
    },
    requests: 5,
  },
  {
    name: 'all-failing',
    gather: { on_failure: { retry: 0 } },
    workers: { a: worker(), b: worker() },
    script: {
      lead: [delegate({ worker: 'a', task: 'Do it.' }, { worker: 'b', task: 'Do it too.' })],
      a: [{ fail: 'server_error' }],
      b: [{ fail: { code: 'refused', message: 'I must not.' } }],
    },
    requests: 3,
  },
  {
    name: 'ending-without-a-report',
    workers: { quiet: worker() },
    script: {
      lead: [
        delegate({ worker: 'quiet', task: 'Look.' }),
        { expect: ['(finished without a text)', 'Evidence: LS 1'], say: 'It said nothing.' },
      ],
      quiet: [call('LS', { path: 'teams' }), {}],
    },
    requests: 4,
  },
  {
    name: 'owing-a-reply',
    gather: { on_failure: { retry: 0 } },
    workers: { busy: worker({ max_turns: 1 }), other: worker() },
    script: {
      lead: [
        delegate({ worker: 'busy', task: 'Look.' }, { worker: 'other', task: 'Look.' }),
        { expect: ['Last words:\nI look.', 'busy (r1): failed'], say: 'Only half.' },
      ],
      busy: [{ say: 'I look.', ...call('LS', { path: 'teams' }) }],
      other: [{ say: 'Seen.' }],
    },
    requests: 4,
  },
  {
    name: 'coordinator-that-tries-bash',
    workers: { a: worker() },
    script: {
      lead: [
        call('Bash', { command: 'ls' }),
        { expect: 'Bash is not a coordination tool', ...delegate({ worker: 'a', task: 'List.' }) },
        { say: '{{mail.a}}' },
      ],
      a: [{ say: 'Nothing there.' }],
    },
    requests: 4,
  },
  {
    name: 'another-round',
    workers: { a: worker(), b: worker() },
    script: {
      lead: [
        delegate({ worker: 'a', task: 'Look.' }),
        { say: 'MORE WORK NEEDED: whether b sees it as well.' },
        { expect: 'You may plan again', ...delegate({ worker: 'b', task: 'Look too.', context: '{{mail.a}}' }) },
        { say: 'Both: {{mail.a}}, {{mail.b}}' },
      ],
      a: [{ say: 'seen' }],
      b: [{ expect: 'seen', say: 'seen as well' }],
    },
    requests: 6,
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
        { expect: 'b (r3): failed: it builds on r1', say: 'Only c: {{mail.c}}' },
      ],
      a: [{ fail: 'server_error' }],
      c: [{ say: 'fine' }],
    },
    requests: 4,
  },
]

test.for(scenes)('$name', async (scene) => {
  expect(await playGolden(scene)).toBe(scene.requests)
})

const spoken = scenes.filter(({ name }) => ['fan-out-of-20', 'dependency-diamond', 'contract'].includes(name))

test.for(spoken.flatMap((scene) => apis.map((api) => ({ name: scene.name, api, scene }))))(
  '$name is the same run when $api is spoken, and no request is one that it would refuse',
  async ({ name, api, scene }) => {
    const { model, env, complaints } = await serveScript(api, scene.script)
    const { recorded, result } = await play(
      inTeam(scene, { model }),
      {},
      { env: { PATH: process.env['PATH'], ...env } },
    )
    const ended = await result
    expect(complaints).toEqual([])
    await expect(goldenTranscript(recorded, ended)).toMatchFileSnapshot(`golden/${name}.txt`)
  },
)
