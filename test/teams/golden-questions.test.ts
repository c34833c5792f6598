import { expect, test } from 'vitest'
import { call, delegate, does, worker, type Scene } from './support/golden-scene.ts'
import { inEveryVoice, playGolden } from './support/play-golden.ts'

const nobodyApproves = async () => ({ behavior: 'deny', source: 'human', reason: 'not asked for' }) as const

/** A worker asks its lead, which asks its user, who answers when the worker has come to its rest. */
const asking = {
  workers: { asker: worker(), other: worker() },
  lead: [
    delegate({ worker: 'asker', task: 'Listen.' }, { worker: 'other', task: 'Look.', depends_on: ['asker'] }),
    { expect: 'Which port?', ...call('AskUser', { question: 'Which port?' }) },
  ],
  script: {
    asker: [
      call('SendMessage', { to: 'lead', text: 'Which port?', question: true }),
      { say: 'I wait for the port.' },
      { expect: '80.', say: 'Listening on 80.' },
    ],
    other: [{ expect: 'Listening on 80.', say: 'Seen.' }],
  },
  cue: [
    does('asker', 'agent.ended'),
    ({ owner, entry }) => owner === 'asker' && entry.type === 'member.idled' && entry.reason === 'waiting_for_answer',
  ],
  options: (cue: Promise<void>) => ({
    approver: {
      answer: nobodyApproves,
      async ask() {
        await cue
        return '80'
      },
    },
  }),
} satisfies Partial<Scene> & { lead: readonly object[] }

/** What a worker asks its lead, and a lead its user, while results are gathered. */
const scenes: readonly Scene[] = [
  {
    name: 'question-during-a-gather',
    ...asking,
    script: {
      ...asking.script,
      lead: [
        ...asking.lead,
        { expect: 'The person answers: 80', ...call('SendMessage', { to: 'asker', text: '80.' }) },
        { expect: ['The round of requests is over', 'Listening on 80.', 'Seen.'], say: 'Both are done.' },
      ],
    },
    requests: 8,
  },
  {
    name: 'question-answered-by-the-last-word',
    ...asking,
    script: {
      ...asking.script,
      lead: [
        ...asking.lead,
        { expect: 'The person answers: 80', say: '80.' },
        { expect: ['The round of requests is over', 'Listening on 80.', 'Seen.'], say: 'Both are done.' },
      ],
    },
    requests: 8,
  },
  {
    name: 'mistyped-answer-during-a-gather',
    ...asking,
    script: {
      ...asking.script,
      lead: [
        ...asking.lead,
        { expect: 'The person answers: 80', ...call('SendMessage', { to: 'askr', text: '80.' }) },
        { expect: 'asker', ...call('SendMessage', { to: 'asker', text: '80.' }) },
        { expect: 'Listening on 80.', say: 'Both are done.' },
      ],
    },
    requests: 9,
  },
  {
    name: 'coordinator-that-asks-its-user',
    workers: { a: worker() },
    script: {
      lead: [
        call('AskUser', { question: 'Which folder?' }),
        { expect: 'The person answers: teams', ...delegate({ worker: 'a', task: 'List teams.' }) },
        { say: '{{mail.a}}' },
      ],
      a: [{ say: 'Two files.' }],
    },
    options: {
      approver: {
        answer: nobodyApproves,
        ask: async ({ member, question }) => (member === 'lead' && question === 'Which folder?' ? 'teams' : null),
      },
    },
    requests: 4,
  },
  {
    name: 'question-that-takes-another-worker',
    workers: { asker: worker(), finder: worker() },
    script: {
      lead: [
        delegate({ worker: 'asker', task: 'Listen.' }),
        { expect: 'Which port?', ...delegate({ worker: 'finder', task: 'Find the port.' }) },
        { expect: 'It is 80.', say: '80.' },
        { expect: ['The round of requests is over', 'Listening on 80.'], say: 'It listens.' },
      ],
      asker: [
        call('SendMessage', { to: 'lead', text: 'Which port?', question: true }),
        { say: 'I wait for the port.' },
        { expect: '80.', say: 'Listening on 80.' },
      ],
      finder: [{ say: 'It is 80.' }],
    },
    requests: 8,
  },
  {
    name: 'asker-stopped-and-asked-again',
    ...asking,
    gather: { on_failure: { then: 'fail' } },
    script: {
      lead: [
        ...asking.lead,
        call('StopWorker', { worker: 'asker', reason: 'another way', grace: '0s' }),
        {
          expect: ['asker (r1): cancelled: another way', 'other (r2): cancelled: it builds on r1'],
          ...delegate({ worker: 'asker', task: 'Listen on 80.' }),
        },
        // The new life knows nothing of the question of the one before.
        { expect: 'Which port?', ...call('SendMessage', { to: 'asker', text: '80, as I said.' }) },
        { expect: 'Listening on 80.', say: 'It listens.' },
      ],
      asker: [
        call('SendMessage', { to: 'lead', text: 'Which port?', question: true }),
        { say: 'I wait for the port.' },
        { expect: '80, as I said.', say: 'Listening on 80.' },
      ],
    },
    requests: 11,
  },
]

test.for(inEveryVoice(scenes))('$name, $voice', async ({ scene, voice }) => {
  expect(await playGolden(scene, voice)).toBe(scene.requests)
})
