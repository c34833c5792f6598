import { expect, test } from 'vitest'
import type { Envelope } from '../../src/protocol/mail/envelope.ts'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import {
  call,
  delegate,
  does,
  shell,
  tillExists,
  unattended,
  untilCue,
  worker,
  type Scene,
} from './support/golden-scene.ts'
import { inEveryVoice, playGolden } from './support/play-golden.ts'

/* What counts as the result of a request and of a run, whatever crosses it. */

const writes = (owner: string, fits: (mail: Envelope) => boolean) => (recorded: Recorded) =>
  recorded.owner === owner && recorded.entry.type === 'mail.sent' && fits(recorded.entry.envelope)

/** A worker whose answer is written, and not out before the file `sent` exists. */
const slow = worker({ tools: [], verify: { command: `touch written; ${tillExists('sent')}`, after_changes: false } })
const untilWritten = call('Bash', { command: tillExists('written') })
const thenUntilCue = call('Bash', { command: `touch sent; ${tillExists('cue')}` })

const look = call('LS', { path: 'teams' })
const tryIt = (n: number) => call('Write', { file_path: 'note.txt', content: `try ${n}` })
const testIt = call('Bash', { command: 'grep fixed note.txt' })

const scenes: readonly Scene[] = [
  {
    name: 'note-that-crosses-a-report',
    workers: { finder: slow, peer: shell },
    script: {
      lead: [
        delegate({ worker: 'finder', task: 'Find the bug.' }, { worker: 'peer', task: 'Help.' }),
        { expect: 'The bug is in line 42.', say: 'Line 42.' },
      ],
      finder: [{ say: 'The bug is in line 42.' }, { expect: 'I am done.', say: 'Noted, thanks.' }],
      peer: [untilWritten, call('SendMessage', { to: 'finder', text: 'I am done.' }), thenUntilCue, { say: 'Helped.' }],
    },
    cue: [writes('finder', ({ amends }) => amends === true)],
    options: unattended,
    requests: 8,
  },
  {
    name: 'word-of-the-asker-that-crosses-a-report',
    team: { partition: 'relaxed', coordinator: { prompt: 'You lead.', tools: ['Bash'] } },
    workers: { finder: slow },
    script: {
      lead: [
        { calls: [...delegate({ worker: 'finder', task: 'Find the bug.' }).calls, ...untilWritten.calls] },
        {
          calls: [
            { tool: 'SendMessage', input: { to: 'finder', text: 'Look at line 7, too.' } },
            ...thenUntilCue.calls,
          ],
        },
        { expect: ['The bug is in line 42.', 'Another one is in line 7.'], say: 'Lines 42 and 7.' },
      ],
      finder: [{ say: 'The bug is in line 42.' }, { expect: 'Look at line 7, too.', say: 'Another one is in line 7.' }],
    },
    cue: [writes('finder', ({ kind }) => kind === 'result')],
    options: unattended,
    requests: 5,
  },
  {
    name: 'report-after-a-result-that-only-waited',
    workers: { counter: shell, squarer: worker() },
    script: {
      lead: [
        delegate(
          { worker: 'squarer', task: 'Wait for the number of counter and square it.' },
          { worker: 'counter', task: 'Count, and tell squarer.', depends_on: ['squarer'] },
        ),
        { expect: ['I wait for counter.', 'It is 49.'], say: '49.' },
      ],
      squarer: [{ say: 'I wait for counter.' }, { expect: 'It is 7.', say: 'It is 49.' }],
      counter: [call('SendMessage', { to: 'squarer', text: 'It is 7.' }), untilCue, { say: 'Told.' }],
    },
    cue: [writes('squarer', ({ amends }) => amends === true)],
    options: unattended,
    requests: 7,
  },
  {
    name: 'answer-that-was-given-too-early',
    team: { partition: 'relaxed' },
    workers: { finder: shell },
    script: {
      lead: [
        delegate({ worker: 'finder', task: 'Find the bug.' }),
        { expect: 'It is in line 42.', ...call('SendMessage', { to: 'finder', text: 'Sure?' }) },
        { say: 'Line 42.' },
        { expect: ['No, in line 7.', 'You had answered without this'], say: 'Line 7.' },
      ],
      finder: [{ say: 'It is in line 42.' }, { expect: 'Sure?', ...untilCue }, { say: 'No, in line 7.' }],
    },
    cue: [does('lead', 'agent.ended')],
    options: unattended,
    requests: 7,
  },
  {
    name: 'bye-after-the-answer',
    team: { partition: 'relaxed', coordinator: { prompt: 'You lead.', tools: ['Bash'] } },
    workers: { finder: shell, peer: shell },
    script: {
      lead: [
        delegate({ worker: 'finder', task: 'Find the bug.' }, { worker: 'peer', task: 'Help.' }),
        { expect: 'The bug is in line 42.', say: 'Line 42.' },
        { expect: 'Bye.', ...call('Bash', { command: tillExists('told') }) },
        { expect: 'I told the lead.', say: 'You are welcome.' },
      ],
      finder: [
        { say: 'The bug is in line 42.' },
        { expect: 'I am done.', ...call('Bash', { command: tillExists('answered') }) },
        call('SendMessage', { to: 'lead', text: 'Bye.' }),
        { say: 'I told the lead.' },
      ],
      peer: [
        call('Bash', { command: tillExists('found') }),
        call('SendMessage', { to: 'finder', text: 'I am done.' }),
        { say: 'Helped.' },
      ],
    },
    marks: {
      found: does('finder', 'member.replied'),
      // It also rests before the task comes.
      answered: (recorded) => does('lead', 'member.idled')(recorded) && recorded.entry.seq > 10,
      told: writes('finder', ({ body }) => body === 'I told the lead.'),
    },
    options: unattended,
    requests: 11,
  },
  {
    name: 'going-in-circles-and-trying-on',
    gather: { on_failure: { retry: 0 } },
    workers: { circler: worker(), mender: worker({ tools: ['Write', 'Bash'] }) },
    script: {
      lead: [
        delegate({ worker: 'circler', task: 'Look.' }, { worker: 'mender', task: 'Mend it.' }),
        { expect: ['circler (r1): failed', 'Mended at last.'], say: 'Mended, and not seen.' },
      ],
      circler: [
        look,
        look,
        look,
        { ...look, expect: 'this was done 3 times with the same result' },
        { ...look, expect: 'this was done 4 times with the same result' },
      ],
      mender: [...[1, 2, 3, 4, 5, 6].flatMap((n) => [tryIt(n), testIt]), { say: 'Mended at last.' }],
    },
    options: unattended,
    requests: 20,
  },
]

test.for(inEveryVoice(scenes))('$name, $voice', async ({ scene, voice }) => {
  expect(await playGolden(scene, voice)).toBe(scene.requests)
})

/** Played by the scripted model alone: an answer without a text leaves nothing to count steps by in what an API is sent. */
const silent: Scene = {
  name: 'nothing-said-though-asked-for',
  gather: { on_failure: { retry: 0 } },
  workers: { mute: worker(), late: worker() },
  script: {
    lead: [
      delegate({ worker: 'mute', task: 'Look.' }, { worker: 'late', task: 'Look.' }),
      { expect: ['mute (r1): failed', 'LS 1', 'late (r2): done'] },
      { expect: 'an answer is owed' },
    ],
    mute: [look, {}, { expect: 'an answer is owed' }],
    late: [{}, { expect: 'an answer is owed', say: 'Two files.' }],
  },
  requests: 8,
}

test('nothing-said-though-asked-for', async () => {
  expect(await playGolden(silent)).toBe(silent.requests)
})
