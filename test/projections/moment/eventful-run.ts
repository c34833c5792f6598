import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { Decision } from '../../../src/protocol/permissions/permission.ts'
import type { Envelope } from '../../../src/protocol/mail/envelope.ts'
import { appended, opened, recordedOf, says, settled } from '../journal-of.ts'

const decision: Decision = { behavior: 'ask', source: 'mode', reason: 'no rule' }

function mail(id: string, from: Envelope['from'], to: Envelope['to'], more: Partial<Envelope> = {}): Envelope {
  const rest = {
    v: 1,
    key: id,
    sender: 'lead',
    seq: 1,
    kind: 'task',
    priority: 'normal',
    body: 'Look.',
    sent_at: 1,
  } as const
  return { ...rest, id: id.padEnd(26, '0'), from, to, ...more }
}

export const taskMail = mail('TASK', 'lead@duo', 'ana@duo', { request: 'r1' })

/** Facts of a run in which much happens: a delegation, calls, a question, an edit of a call, costs, a task, a crash. */
export const eventfulFacts: readonly (readonly [owner: string, fact: Fact])[] = [
  ['team', { type: 'team.started', run: 'duo-1', team: 'duo', hash: 'h', task: 'Begin.' }],
  ['lead', { type: 'member.started', incarnation: 'i', executor: 'in-process', pid: 1 }],
  ['lead', { type: 'member.woke' }],
  ['lead', { type: 'agent.started' }],
  ['lead', { type: 'model.requested', turn: 1, model: 'm' }],
  ['lead', settled({ input: 100, output: 20, cache_write: 50 }, { cost_usd: 0.25 })],
  ['lead', appended(says('I hand it out.', { id: 'c0', name: 'Delegate', input: { subtasks: [{ worker: 'ana' }] } }))],
  ['lead', { type: 'mail.sent', envelope: taskMail }],
  ['team', opened('r1', 'ana')],
  ['lead', { type: 'agent.parked', turn: 1 }],
  ['team', { type: 'member.spawned', member: 'ana', attempt: 1 }],
  ['ana', { type: 'member.started', incarnation: 'j', executor: 'in-process', pid: 1 }],
  ['ana', { type: 'mail.received', envelope: taskMail }],
  ['ana', { type: 'member.woke' }],
  ['ana', { type: 'agent.started' }],
  ['ana', { type: 'model.requested', turn: 1, model: 'm' }],
  ['ana', appended(says('I touch it.', { id: 'c1', name: 'Bash', input: { command: 'touch a' } }))],
  ['ana', settled({ input: 10, output: 2, cache_read: 90 }, { cost_usd: null })],
  ['ana', { type: 'permission.requested', call_id: 'c1', tool: 'Bash', request: 'ana-6-1', decision, deadline: null }],
  [
    'ana',
    {
      type: 'permission.decided',
      call_id: 'c1',
      tool: 'Bash',
      request: 'ana-6-1',
      by: 'page',
      decision: { behavior: 'allow', source: 'human', reason: 'allowed once' },
      updated_input: { command: 'touch b' },
    },
  ],
  ['ana', { type: 'call.started', call_id: 'c1', tool: 'Bash' }],
  ['ana', { type: 'call.finished', call_id: 'c1', tool: 'Bash', is_error: false, duration_ms: 5 }],
  ['ana', { type: 'agent.ended', turn: 2, reason: 'completed' }],
  ['ana', { type: 'member.idled', reason: 'waiting_for_answer', waiting_for: ['lead'] }],
  ['team', { type: 'request.settled', request: 'r1', worker: 'ana', status: 'done' }],
  ['lead', { type: 'model.requested', turn: 2, model: 'm' }],
  ['lead', appended(says('Done.'))],
  ['lead', { type: 'message.tombstoned', target: 'lead-6' }],
  ['team', { type: 'member.crashed', member: 'ana', error: 'gone' }],
  ['team', { type: 'team.ended', status: 'completed', reason: 'completed', result: 'Done.' }],
]

/** The same as the journals would hold them. */
export const eventfulRun = recordedOf(...eventfulFacts)
