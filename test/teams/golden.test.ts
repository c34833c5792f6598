import { expect, test } from 'vitest'
import {
  call,
  delegate,
  does,
  forEver,
  shell,
  tillExists,
  unattended,
  untilCue,
  worker,
  type Scene,
} from './support/golden-scene.ts'
import { inEveryVoice, playGolden } from './support/play-golden.ts'

const hands = Array.from({ length: 20 }, (_, n) => n + 1)

const hand = (n: number, name = 'hand') => ({ worker: name, task: `Do part ${n}.` })
const write = (to: string) => ({ tool: 'SendMessage', input: { to, text: 'Begin.' } })
const stopped = 'is not started: 4 starts of members are all that budget.agents allows'

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
    workers: { a: worker(), b: shell },
    script: {
      lead: [delegate({ worker: 'a', task: 'Do it.' }, { worker: 'b', task: 'Do it too.' })],
      a: [{ fail: 'server_error' }],
      b: [untilCue, { fail: { code: 'refused', message: 'I must not.' } }],
    },
    cue: [does('lead', 'mail.received')],
    options: unattended,
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
    name: 'runaway-spawner-stopped-at-its-cap',
    team: { budget: { agents: 4 } },
    workers: { hand: worker({ replicas: 6 }) },
    script: {
      lead: [
        delegate(...[1, 2, 3].map((n) => hand(n)), hand(4, 'hand-4')),
        {
          expect: [`hand-4: not delegated: hand-4 ${stopped}`, 'Did 3'],
          calls: [...delegate(hand(4, 'hand-4')).calls, write('hand-5')],
        },
        { expect: `Not sent: hand-5 ${stopped}`, ...delegate(hand(4)) },
        { expect: 'Did 1 and 4', say: 'All four parts, by three hands.' },
      ],
      'hand-1': [{ say: 'Did 1' }, { expect: 'Do part 4.', say: 'Did 1 and 4' }],
      'hand-2': [{ say: 'Did 2' }],
      'hand-3': [{ say: 'Did 3' }],
    },
    requests: 8,
  },
  {
    name: 'one-and-six',
    workers: {
      ...Object.fromEntries(['knower', 'busy', 'early'].map((name) => [name, shell])),
      ...Object.fromEntries(['asker', 'silent', 'builder'].map((name) => [name, worker()])),
    },
    prices: { input: 3, output: 15 },
    script: {
      lead: [
        delegate(
          { worker: 'knower', task: 'Find the port.' },
          { worker: 'busy', task: 'Run the tests.' },
          { worker: 'asker', task: 'Listen.', depends_on: ['knower'] },
          { worker: 'silent', task: 'Look.', depends_on: ['knower'] },
          { worker: 'early', task: 'Look too.', depends_on: ['silent'] },
          { worker: 'builder', task: 'Build.', depends_on: ['asker', 'busy'] },
        ),
        { expect: ['Nothing is there.', 'I have begun.', 'Built on 80.'], say: 'All six are done.' },
      ],
      knower: [{ say: 'I know it.' }, { expect: 'Which port?', ...untilCue }, { say: '80.' }],
      busy: [
        call('Bash', { command: `touch begun; ${tillExists('cue')}` }),
        { expect: 'Mind the tests.', say: 'Minded.' },
      ],
      asker: [
        call('SendMessage', { to: 'knower', text: 'Which port?', question: true }),
        { say: 'I wait for the port.' },
        { expect: '80.', say: 'Listening on 80.' },
      ],
      silent: [{ say: 'Nothing is there.' }],
      early: [
        call('Bash', { command: tillExists('begun') }),
        {
          calls: [
            { tool: 'SendMessage', input: { to: 'lead', text: 'I have begun.' } },
            { tool: 'SendMessage', input: { to: 'busy', text: 'Mind the tests.' } },
          ],
        },
        { say: 'Seen.' },
      ],
      builder: [{ expect: ['| Listening on 80.', '| Minded.'], say: 'Built on 80.' }],
    },
    cue: [does('asker', 'member.idled'), does('early', 'member.idled')],
    options: unattended,
    requests: 15,
  },
]

test.for(inEveryVoice(scenes))('$name, $voice', async ({ scene, voice }) => {
  expect(await playGolden(scene, voice)).toBe(scene.requests)
})
