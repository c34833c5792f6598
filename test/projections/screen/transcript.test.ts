import { describe, expect, test } from 'vitest'
import { applyTranscript, emptyTranscript, type TranscriptLine } from '../../../src/projections/screen/transcript.ts'
import type { Envelope } from '../../../src/protocol/mail/envelope.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { errorResult, userMessage } from '../../../src/protocol/conversation/message.ts'
import { appended, recordedOf, says } from '../journal-of.ts'

type Said = readonly [string, Fact]

function linesOf(...said: readonly Said[]): readonly TranscriptLine[] {
  const transcript = emptyTranscript()
  for (const recorded of recordedOf(...said)) applyTranscript(transcript, recorded)
  return transcript.lines
}

const brief = (lines: readonly TranscriptLine[]) => lines.map(({ kind, head, text }) => [kind, head, text])

const envelope: Envelope = {
  v: 1,
  id: '01J00000000000000000000000',
  key: 'k',
  from: 'lead@notes',
  sender: 'lead',
  seq: 1,
  to: 'writer@notes',
  kind: 'task',
  priority: 'normal',
  body: 'write it',
  sent_at: 1,
}

describe('the transcript', () => {
  test('tells a turn: text, thinking, calls, results', () => {
    const answer = says('I look.', { id: 'c1', name: 'Bash', input: { command: 'git log' } })
    const thinking = { type: 'thinking' as const, text: 'hm' }
    const lines = linesOf(
      ['lead', { type: 'message.appended', message: userMessage('find it') }],
      ['lead', { type: 'message.appended', message: userMessage('be quick', 'runtime') }],
      ['lead', appended({ ...answer, content: [thinking, ...answer.content] })],
      ['lead', { type: 'message.appended', message: { role: 'tool', results: [errorResult('c1', 'Bash', 'no git')] } }],
    )
    expect(brief(lines)).toEqual([
      ['person', 'person', 'find it'],
      ['note', 'runtime', 'be quick'],
      ['think', 'thinking', 'hm'],
      ['say', '', 'I look.'],
      ['call', 'Bash(git log)', ''],
      ['error', 'Bash(git log)', 'no git'],
    ])
  })

  test.each([
    ['Bash', 'waits for approval', 'allowed by human'],
    ['AskUser', 'waits for an answer', 'answered by human'],
  ])('tells what a call of %s waits for, and how that ended', (tool, waits, ends) => {
    const about = { call_id: 'c', tool }
    const decision = { behavior: 'ask', source: 'mode', reason: 'why' } as const
    const lines = linesOf(
      ['lead', { type: 'permission.requested', ...about, request: 'lead-1-1', decision, deadline: null }],
      [
        'lead',
        { type: 'permission.decided', ...about, decision: { behavior: 'allow', source: 'human', reason: 'ok' } },
      ],
    )
    expect(brief(lines)).toEqual([
      ['life', `${tool}: ${waits}`, 'lead-1-1'],
      ['life', `${tool}: ${ends}`, 'ok'],
    ])
  })

  test('names images that a result carries', () => {
    const result = {
      call_id: 'c',
      tool: 'Read',
      is_error: false,
      content: [{ type: 'image' as const, media_type: 'image/png', data: '' }],
    }
    expect(
      brief(linesOf(['lead', { type: 'message.appended', message: { role: 'tool', results: [result] } }])),
    ).toEqual([['result', 'Read', '[1 image(s)]']])
  })

  test('a failed model call is told with its reason', () => {
    const failed = {
      ...says(''),
      stop: 'error' as const,
      failure: { code: 'overloaded' as const, message: 'come back later' },
    }
    expect(brief(linesOf(['lead', appended(failed)]))).toEqual([['error', 'model: overloaded', 'come back later']])
  })

  test('a tombstoned message leaves it', () => {
    const said: readonly Said[] = [
      ['lead', appended(says('gone soon'))],
      ['writer', appended(says('stays'))],
    ]
    expect(brief(linesOf(...said, ['lead', { type: 'message.tombstoned', target: 'lead-1' }]))).toEqual([
      ['say', '', 'stays'],
    ])
    expect(linesOf(...said, ['writer', { type: 'message.tombstoned', target: 'lead-1' }])).toHaveLength(2)
  })

  test('mail is told where it was sent and where it came', () => {
    expect(
      brief(linesOf(['lead', { type: 'mail.sent', envelope }], ['writer', { type: 'mail.received', envelope }])),
    ).toEqual([
      ['sent', 'task to writer@notes', 'write it'],
      ['received', 'task from lead@notes', 'write it'],
    ])
  })

  test('permissions are told when a person or a denial was part of them', () => {
    const decided = (behavior: 'allow' | 'deny', source: 'human' | 'mode'): Said => [
      'lead',
      { type: 'permission.decided', call_id: 'c', tool: 'Bash', decision: { behavior, source, reason: 'so' } },
    ]
    expect(brief(linesOf(decided('allow', 'mode'), decided('allow', 'human'), decided('deny', 'mode')))).toEqual([
      ['life', 'Bash: allowed by human', 'so'],
      ['life', 'Bash: denied by mode', 'so'],
    ])
  })

  test('trouble and the end are told', () => {
    const lines = linesOf(
      ['team', { type: 'team.started', run: 'r', team: 'notes', hash: 'h', task: 'do' }],
      ['team', { type: 'member.spawned', member: 'writer', attempt: 2 }],
      ['team', { type: 'member.crashed', member: 'writer', error: 'boom' }],
      ['team', { type: 'member.lost', member: 'writer', reason: 'too often' }],
      ['team', { type: 'request.settled', request: 'r1', worker: 'writer', status: 'timed_out', reason: 'late' }],
      ['team', { type: 'request.settled', request: 'r2', worker: 'writer', status: 'done' }],
      ['team', { type: 'lead.nudged', open: ['r1', 'r2'] }],
      ['lead', { type: 'event.dropped', actor: 'agent', event: 'wake', state: '"done"' }],
      ['lead', { type: 'agent.ended', turn: 1, reason: 'completed' }],
      ['lead', { type: 'agent.ended', turn: 1, reason: 'failed', failure: { code: 'crashed', message: 'why' } }],
      ['lead', { type: 'mail.died', file: 'x.json', reason: 'not JSON' }],
      ['lead', { type: 'member.gone', reason: 'end of run' }],
      ['team', { type: 'team.ended', status: 'failed', reason: 'stalled', result: null }],
    )
    expect(brief(lines)).toEqual([
      ['life', 'task', 'do'],
      ['life', 'writer is started again (attempt 2)', ''],
      ['warning', 'writer crashed', 'boom'],
      ['warning', 'writer is lost', 'too often'],
      ['warning', "writer's work was not done in time", 'late'],
      ['life', 'the lead is reminded of open work', 'r1, r2'],
      ['warning', 'agent had no use for wake in "done"', ''],
      ['warning', 'ended: failed', 'why'],
      ['warning', 'mail x.json could not be delivered', 'not JSON'],
      ['life', 'gone: end of run', ''],
      ['end', 'failed: stalled', ''],
    ])
  })
})

test('a conversation that is made shorter is told, with what stands in place of it', () => {
  const fact = {
    type: 'context.compacted',
    trigger: 'auto',
    before: 1_000,
    after: 380,
    trimmed: [],
    dropped: ['lead-1'],
  } satisfies Fact
  expect(brief(linesOf(['lead', { ...fact, summary: 'All was read.' }]))).toEqual([
    ['life', 'the model sees 38% of the conversation from now on', 'All was read.'],
  ])
})

test('mail to the board is told in words', () => {
  const body = JSON.stringify({ ask: 'reject', task: 4, reason: 'no test' })
  const mail: Envelope = { ...envelope, kind: 'control', to: 'team@notes', body }
  expect(brief(linesOf(['lead', { type: 'mail.sent', envelope: mail }]))).toEqual([
    ['sent', 'control to team@notes', 'reject task 4: no test'],
  ])
  expect(brief(linesOf(['lead', { type: 'mail.sent', envelope: { ...mail, kind: 'text' } }]))).toEqual([
    ['sent', 'text to team@notes', body],
  ])
})
