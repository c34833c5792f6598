import { expect, test } from 'vitest'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import { delegate, does, shell, unattended, untilCue, worker, type Scene } from './support/golden-scene.ts'
import { inEveryVoice, playGolden } from './support/play-golden.ts'

/** One answer with the calls of all of them. */
const both = (...answers: readonly { readonly calls: readonly object[] }[]) => ({
  calls: answers.flatMap(({ calls }) => calls),
})
const resultOf =
  (worker: string, wanted: 'done' | 'failed') =>
  ({ owner, entry }: Recorded) =>
    owner === worker && entry.type === 'mail.sent' && entry.envelope.status === wanted
const handsOn = { team: { partition: 'relaxed' }, options: unattended }
const lead = { prompt: 'You lead.', tools: ['Bash'] }

/** The lead's call ends only when the work has gone on without it. */
const scenes: readonly Scene[] = [
  {
    name: 'dependent-begins-while-the-lead-runs-a-tool',
    ...handsOn,
    team: { ...handsOn.team, coordinator: lead },
    workers: { base: worker(), top: worker() },
    script: {
      lead: [
        both(
          delegate({ worker: 'base', task: 'Begin.' }, { worker: 'top', task: 'Go on.', depends_on: ['base'] }),
          untilCue,
        ),
        { expect: ['The round of requests is over', 'ground'], say: 'Top stands: {{mail.top}}' },
      ],
      base: [{ say: 'ground' }],
      top: [{ expect: '| ground', say: 'roof' }],
    },
    cue: [resultOf('top', 'done')],
    requests: 4,
  },
  {
    name: 'retry-and-substitute-begin-while-the-lead-runs-a-tool',
    ...handsOn,
    team: {
      ...handsOn.team,
      coordinator: { ...lead, gather: { on_failure: { retry: 1, substitute: 'spare' } } },
    },
    workers: { weak: worker(), spare: worker() },
    script: {
      lead: [
        both(delegate({ worker: 'weak', task: 'Lift.' }), untilCue),
        { expect: ['in place of weak', 'lifted'], say: 'Spare did it.' },
      ],
      weak: [{ fail: 'server_error' }],
      spare: [{ say: 'lifted' }],
    },
    cue: [resultOf('spare', 'done')],
    requests: 5,
  },
  {
    name: 'held-piece-begins-while-the-lead-runs-a-tool',
    ...handsOn,
    team: { ...handsOn.team, coordinator: lead, limits: { concurrency: 1 } },
    workers: { one: worker(), two: worker() },
    script: {
      lead: [
        both(delegate({ worker: 'one', task: 'Look.' }, { worker: 'two', task: 'Look too.' }), untilCue),
        { expect: ['first', 'second'], say: 'Both: {{mail.one}}, {{mail.two}}.' },
      ],
      one: [{ say: 'first' }],
      two: [{ say: 'second' }],
    },
    cue: [resultOf('two', 'done')],
    requests: 4,
  },
  {
    name: 'dependent-begins-while-a-person-thinks',
    workers: { base: worker(), top: shell },
    script: {
      lead: [
        both(delegate({ worker: 'base', task: 'Begin.' }, { worker: 'top', task: 'Go on.', depends_on: ['base'] }), {
          calls: [{ tool: 'AskUser', input: { question: 'Which colour?' } }],
        }),
        { expect: ['The person answers: red', 'roof'], say: 'A red roof.' },
      ],
      base: [{ say: 'ground' }],
      top: [{ say: 'roof' }],
    },
    cue: [does('top', 'member.replied')],
    options: (cue) => ({
      approver: {
        answer: async () => ({ behavior: 'deny', source: 'human', reason: 'not asked for' }),
        async ask() {
          await cue
          return 'red'
        },
      },
    }),
    requests: 4,
  },
]

test.for(inEveryVoice(scenes))('$name, $voice', async ({ scene, voice }) => {
  expect(await playGolden(scene, voice)).toBe(scene.requests)
})
