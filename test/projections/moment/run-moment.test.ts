import { expect, test } from 'vitest'
import { unanswered } from '../../../src/projections/moment/asked-calls.ts'
import { cacheHits } from '../../../src/projections/moment/spending-line.ts'
import { momentsOf } from '../../../src/projections/moment/run-moment.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { personSender } from '../../../src/protocol/words/ids.ts'
import { recordedOf } from '../journal-of.ts'
import { eventfulRun, taskMail } from './eventful-run.ts'

const moments = momentsOf({ lead: 'lead', members: [] })

/** The moment behind the last fact of this type. */
function after(type: string, facts = eventfulRun) {
  const moment = moments.empty()
  const last = facts.findLastIndex(({ entry }) => entry.type === type)
  for (const each of facts.slice(0, last + 1)) moments.apply(moment, each)
  return moment
}

test('a question waits until it is decided, and says who answered and whether the call was edited', () => {
  expect(unanswered(after('permission.requested').asked)).toMatchObject([
    { member: 'ana', request: 'ana-6-1', tool: 'Bash' },
  ])
  const { asked } = after('permission.decided')
  expect(unanswered(asked)).toEqual([])
  expect(asked).toMatchObject([{ answer: { by: 'page', isEdited: true, decision: { behavior: 'allow' } } }])
})

test('a question of a call that is interrupted waits for nobody any more', () => {
  const facts = recordedOf(
    ['ana', { type: 'agent.started' }],
    ['ana', asking('c1', 'ana-2-1')],
    ['ana', { type: 'call.finished', call_id: 'c1', tool: 'Edit', is_error: true, skipped: true, duration_ms: 0 }],
    ['ana', { type: 'member.woke' }],
  )
  const { asked, spans } = after('member.woke', facts)
  expect(unanswered(asked)).toEqual([])
  expect(asked).toMatchObject([{ request: 'ana-2-1', answer: null, withdrawn_at: 1002 }])
  expect(spans.spans).toMatchObject([{ kind: 'work' }, { kind: 'wait', from: 1001, to: 1002 }])
})

test.each<readonly [string, string, Fact]>([
  ['crashed', 'team', { type: 'member.crashed', member: 'ana', error: 'killed' }],
  ['was stopped', 'team', { type: 'member.stopped', member: 'ana', by: 'person', reason: 'enough' }],
  ['asks anew in another life', 'ana', asking('c1', 'ana-9-1')],
])('a question of a member that %s waits for nobody any more', (_, owner, end) => {
  const facts = recordedOf(['ana', asking('c1', 'ana-2-1')], ['bo', asking('c1', 'bo-2-1')], [owner, end])
  const { asked, panes, spans } = after(end.type, facts)
  expect(asked.map(({ withdrawn_at }) => withdrawn_at).slice(0, 2)).toEqual([1002, null])
  expect(unanswered(asked).filter(({ member }) => member === 'ana')).toHaveLength(owner === 'ana' ? 1 : 0)
  expect(panes.roster.get('ana')?.waiting.size).toBe(owner === 'ana' ? 1 : 0)
  expect(spans.spans[0]).toMatchObject({ member: 'ana', kind: 'wait', to: 1002 })
})

function asking(call_id: string, request: string): Fact {
  const decision = { behavior: 'ask', source: 'mode', reason: 'no rule' } as const
  return { type: 'permission.requested', call_id, tool: 'Edit', request, decision, deadline: null }
}

test('a mail is listed once: on its way, taken in, or dead', () => {
  expect(after('mail.sent').mail.list).toMatchObject([{ from: 'lead', to: 'ana', kind: 'task', received_at: null }])
  const { list } = after('mail.received').mail
  expect(list).toMatchObject([{ from: 'lead', to: 'ana', sent_at: 1007, received_at: 1012, died: null }])
  const person = { ...taskMail, id: 'P'.repeat(26), from: personSender, sent_at: 900 } as const
  const facts = recordedOf(
    ['ana', { type: 'mail.received', envelope: person }],
    ['ana', { type: 'mail.sent', envelope: { ...taskMail, from: 'ana@duo', to: 'bo@duo' } }],
    ['bo', { type: 'mail.died', file: 'f', mail_id: taskMail.id, reason: 'nobody is there' }],
  )
  expect(after('mail.died', facts).mail.list).toMatchObject([
    { from: 'user', sent_at: 900, received_at: 1000 },
    { from: 'ana', to: 'bo', received_at: null, died: 'nobody is there' },
  ])
})

test('stretches name what they are about: the model, the tool, those who are waited for', () => {
  const { spans } = after('team.ended').spans
  expect(spans.map(({ member, kind, from, to, label }) => [member, kind, from, to, label])).toEqual([
    ['lead', 'work', 1003, null, ''],
    ['lead', 'model', 1004, 1005, 'm'],
    ['lead', 'blocked', 1009, 1025, 'ana'],
    ['ana', 'work', 1014, 1022, ''],
    ['ana', 'model', 1015, 1017, 'm'],
    ['ana', 'wait', 1018, 1019, 'Bash'],
    ['ana', 'call', 1020, 1021, 'Bash'],
    ['ana', 'blocked', 1023, 1028, 'lead'],
    ['lead', 'model', 1025, null, 'm'],
  ])
})

test('sums grow with each call that cost something', () => {
  const { spending, time } = after('team.ended')
  expect(spending).toEqual([
    { at: 1005, usd: 0.25, input: 100, output: 20, cache_read: 0, cache_write: 50 },
    { at: 1017, usd: 0.25, input: 110, output: 22, cache_read: 90, cache_write: 50 },
  ])
  expect(cacheHits(spending.at(-1) ?? { input: 0, cache_read: 0, cache_write: 0 })).toBe(0.36)
  expect(cacheHits({ input: 0, cache_read: 0, cache_write: 0 })).toBe(null)
  expect(time).toEqual({ from: 1000, to: 1029 })
})
