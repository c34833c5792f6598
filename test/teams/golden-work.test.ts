import { expect, test } from 'vitest'
import type { Answer } from '../../src/protocol/permissions/permission.ts'
import type { Approver } from '../../src/protocol/port.ts'
import { playTwo } from '../runtime/support/two-models.ts'
import { call, delegate, unattended, worker, type Scene } from './support/golden-scene.ts'
import { inEveryVoice, playGolden } from './support/play-golden.ts'
import { goldenTranscript } from './support/transcript.ts'

/* How the work of a member is checked and helped. */

/** A person with these answers, in this order. */
function answering(...answers: Answer[]): Approver {
  return { answer: () => Promise.resolve(answers.shift() ?? expect.fail('nobody should have asked')) }
}

const scenes: readonly Scene[] = [
  {
    name: 'verified-in-the-end',
    workers: {
      fixer: worker({ tools: ['Write', 'Read'], verify: { command: 'grep -q fixed note.txt', attempts: 2 } }),
    },
    script: {
      lead: [
        delegate({ worker: 'fixer', task: 'Fix it.' }),
        { expect: ['fixer (r1): done', 'check `grep -q fixed note.txt` passed'], say: '{{mail.fixer}}' },
      ],
      fixer: [
        call('Write', { file_path: 'note.txt', content: 'broken' }),
        { expect: ['does not pass after this step', '| [exit 1]'], say: 'Done.' },
        { expect: 'end 1 of 2', ...call('Write', { file_path: 'note.txt', content: 'fixed' }) },
        { say: 'Fixed.' },
      ],
    },
    options: unattended,
    requests: 6,
  },
  {
    name: 'never-verified',
    gather: { on_failure: { retry: 0 } },
    workers: {
      sure: worker({ verify: { command: 'test -e good', attempts: 2 } }),
      other: worker({ verify: 'ls teams' }),
    },
    script: {
      lead: [
        delegate({ worker: 'sure', task: 'Make it good.' }, { worker: 'other', task: 'Look.' }),
        {
          expect: ['sure (r1): failed', '`test -e good` did not pass at 2 ends in a row', 'other (r2): done'],
          say: 'Half.',
        },
      ],
      sure: [{ say: 'It is good.' }, { expect: 'end 1 of 2', say: 'It is good, I swear.' }],
      other: [{ say: 'Seen.' }],
    },
    requests: 5,
  },
  {
    name: 'plan-sent-back-then-approved',
    workers: { careful: worker({ tools: ['ExitPlanMode', 'Write'], permissions: { mode: 'plan' } }) },
    script: {
      lead: [delegate({ worker: 'careful', task: 'Write the note.' }), { say: '{{mail.careful}}' }],
      careful: [
        call('Write', { file_path: 'note.txt', content: 'rash' }),
        { expect: 'plan mode changes no files', ...call('ExitPlanMode', { plan: 'Write a note.' }) },
        { expect: 'not approved: Say which one.', ...call('ExitPlanMode', { plan: 'Write note.txt: "well".' }) },
        { expect: 'The plan is approved', ...call('Write', { file_path: 'note.txt', content: 'well' }) },
        { say: 'Written.' },
      ],
    },
    options: () => ({
      approver: answering(
        { behavior: 'deny', source: 'human', reason: 'Say which one.', scope: 'once' },
        { behavior: 'allow', source: 'human', reason: 'fine', scope: 'once' },
        { behavior: 'allow', source: 'human', reason: 'fine', scope: 'once' },
      ),
    }),
    requests: 7,
  },
]

/** Another model of the same script advises: these have no vendor. */
const advised: readonly Scene[] = [
  {
    name: 'advice-then-no-more',
    workers: { torn: worker({ advisor: { model: 'scripted/script.yaml', max_uses: 1 } }) },
    script: {
      lead: [delegate({ worker: 'torn', task: 'Choose.' }), { say: '{{mail.torn}}' }],
      torn: [
        call('Advisor', { question: 'Left or right?', context: 'Left is short, right is safe.' }),
        { expect: 'Right: it is safe.', ...call('Advisor', { question: 'Sure?', context: '' }) },
        { expect: 'may be called once in a run', say: 'Right.' },
      ],
      'torn-advisor': [{ expect: 'Left is short', say: 'Right: it is safe.' }],
    },
    requests: 5,
  },
]

test.for(inEveryVoice(scenes))('$name, $voice', async ({ scene, voice }) => {
  expect(await playGolden(scene, voice)).toBe(scene.requests)
})

test.for(advised)('$name', async (scene) => {
  expect(await playGolden(scene)).toBe(scene.requests)
})

test('handed-to-a-stronger-model', async () => {
  const { recorded, result } = await playTwo({
    team: {
      name: 'golden',
      coordinator: { prompt: 'You lead.' },
      workers: { modest: worker({ escalate: { model: 'scripted/strong.yaml', after_errors: 1 } }) },
    },
    weak: {
      lead: [
        delegate({ worker: 'modest', task: 'Prove it.' }),
        delegate({ worker: 'modest', task: 'Prove the other half.' }),
        { say: '{{mail.modest}}' },
      ],
      modest: [{ say: 'STRONGER MODEL NEEDED: It needs a proof.' }, call('Raed', { file_path: 'x' })],
    },
    strong: {
      modest: [
        { expect: 'it said that the task is beyond it', say: 'Half of it is proved.' },
        {},
        { expect: 'its last calls could not be made', say: 'All of it is proved.' },
      ],
    },
  })
  await expect(goldenTranscript(recorded, result)).toMatchFileSnapshot('golden/handed-to-a-stronger-model.txt')
})
