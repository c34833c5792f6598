import { expect, test } from 'vitest'
import { call, delegate, does, shell, unattended, untilCue, worker, type Scene } from './support/golden-scene.ts'
import { inEveryVoice, playGolden } from './support/play-golden.ts'

const tell = (to: string, text: string) => call('SendMessage', { to, text })
const waitFor = (member: string, reason = 'its number') => call('Wait', { for: member, reason })
const rest = { say: 'I wait.' }

/** What becomes of workers that wait for others. */
const scenes: readonly Scene[] = [
  {
    name: 'waiting-for-a-peer',
    workers: { squarer: worker(), counter: shell },
    script: {
      lead: [
        delegate(
          { worker: 'squarer', task: 'Square the number that counter sends you.' },
          { worker: 'counter', task: 'Count, and tell squarer.' },
        ),
        { expect: 'It is 49.', say: '49.' },
      ],
      squarer: [waitFor('counter'), rest, { expect: 'It is 7.', say: 'It is 49.' }],
      counter: [untilCue, tell('squarer', 'It is 7.'), { say: 'Told.' }],
    },
    cue: [does('squarer', 'member.idled')],
    options: unattended,
    requests: 8,
  },
  {
    name: 'waiting-for-one-that-fails',
    gather: { on_failure: { retry: 0 } },
    workers: { squarer: worker(), counter: worker() },
    script: {
      lead: [
        delegate({ worker: 'squarer', task: 'Wait and square.' }, { worker: 'counter', task: 'Count.' }),
        { expect: ['counter (r2): failed', 'No number came.'], say: 'No number.' },
      ],
      squarer: [waitFor('counter'), rest, { expect: ['in vain', 'r2 ended: failed'], say: 'No number came.' }],
      counter: [{}, {}],
    },
    requests: 7,
  },
  {
    name: 'waiting-for-one-that-ends-without-a-word',
    workers: { squarer: worker(), counter: worker() },
    script: {
      lead: [
        delegate({ worker: 'squarer', task: 'Wait and square.' }, { worker: 'counter', task: 'Count.' }),
        { expect: ['It was 7.', 'It told me nothing.'], say: '49.' },
      ],
      squarer: [waitFor('counter'), rest, { expect: ['in vain', 'r2 ended: done'], say: 'It told me nothing.' }],
      counter: [{ say: 'It was 7.' }],
    },
    requests: 6,
  },
  {
    name: 'ring-of-waits',
    workers: { a: worker(), b: worker(), c: shell },
    script: {
      lead: [
        delegate({ worker: 'a', task: 'Go.' }, { worker: 'b', task: 'Go.' }, { worker: 'c', task: 'Go.' }),
        { expect: ['A went.', 'B went.', 'C went.'], say: 'All went.' },
      ],
      a: [waitFor('b'), rest, { expect: 'After me, too.', say: 'A went.' }],
      b: [waitFor('c'), rest, { expect: 'After me.', ...tell('a', 'After me, too.') }, { say: 'B went.' }],
      c: [
        untilCue,
        waitFor('a'),
        rest,
        { expect: ['ring', 'c waits for a, a waits for b, b waits for c'], ...tell('b', 'After me.') },
        { say: 'C went.' },
      ],
    },
    cue: [does('a', 'member.idled'), does('b', 'member.idled')],
    options: unattended,
    requests: 14,
  },
  {
    name: 'finished-explicitly',
    workers: { a: worker() },
    script: {
      lead: [
        delegate({ worker: 'a', task: 'Count.' }),
        { expect: '7, all told.', ...call('Answer', { text: 'It is 7.', files: ['list.txt'] }) },
      ],
      a: [
        call('Report', { request: 'r9', text: '7, all told.' }),
        {
          expect: ['r9 is not open with you', 'You work on r1'],
          ...call('Report', { request: 'r1', text: '7, all told.' }),
        },
      ],
    },
    requests: 4,
  },
  {
    name: 'ring-through-the-lead',
    workers: { a: worker() },
    script: {
      lead: [delegate({ worker: 'a', task: 'Wait for my word.' }), { expect: 'No word came.', say: 'None.' }],
      a: [waitFor('lead', 'the word'), rest, { expect: ['ring', 'lead waits for a'], say: 'No word came.' }],
    },
    requests: 5,
  },
]

/** Vendors are sent no empty answers, by which a script counts its steps. */
const isSpoken = ({ name }: Scene): boolean => name !== 'waiting-for-one-that-fails'

test.for(inEveryVoice(scenes).filter(({ scene, voice }) => voice === 'scripted' || isSpoken(scene)))(
  '$name, $voice',
  async ({ scene, voice }) => {
    expect(await playGolden(scene, voice)).toBe(scene.requests)
  },
)
