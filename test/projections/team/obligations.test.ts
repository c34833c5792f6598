import { expect, test } from 'vitest'
import {
  amended,
  amendmentKey,
  amendmentOf,
  applyObligations,
  emptyObligations,
  isBesideMail,
  servedNow,
} from '../../../src/projections/team/obligations.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { Envelope } from '../../../src/protocol/mail/envelope.ts'
import { userMessage } from '../../../src/protocol/conversation/message.ts'
import { markedText } from '../../../src/projections/fold/end-texts.ts'
import { appended, recordedOf, says } from '../journal-of.ts'

const mail = (more: Partial<Envelope>): Envelope => ({
  v: 1,
  id: '01J00000000000000000000001',
  key: 'k',
  from: 'lead@demo',
  sender: 'lead',
  seq: 1,
  to: 'ann@demo',
  kind: 'text',
  priority: 'normal',
  body: '',
  sent_at: 1,
  ...more,
})
const got = (more: Partial<Envelope>): Fact => ({ type: 'mail.received', envelope: mail(more) })
const sent = (more: Partial<Envelope>): Fact => ({ type: 'mail.sent', envelope: mail({ from: 'ann@demo', ...more }) })
const task = (request: string): Fact => got({ kind: 'task', request, id: `01J0000000000000000000000${request.at(1)}` })
const begins: Fact = { type: 'agent.started' }
const ends = { type: 'agent.ended', turn: 1, reason: 'completed' } as const
const say = (text: string): Fact => appended(says(text))
const replied = (request: string): Fact => ({ type: 'member.replied', request, mail_id: 'm' })

function after(...facts: readonly Fact[]) {
  const debts = emptyObligations()
  for (const recorded of recordedOf(...facts.map((fact) => ['ann', fact] as const))) applyObligations(debts, recorded)
  return debts
}
const saidAfter = (...facts: readonly Fact[]): string => markedText(after(...facts).said)

test('what was said about a task is what ended turns since the task came, over all work on it', () => {
  expect(saidAfter(begins, say('before'), task('r1'), say('one'), ends, begins, say('two'))).toMatch(/one[^]*two/)
  expect(saidAfter(begins, say('before'), task('r1'), say('one'))).toBe('one')
  expect(saidAfter(task('r1'), say('one'), replied('r1'))).toBe('')
})

test('a task in the queue takes nothing from the one at hand, and begins with nothing said', () => {
  expect(saidAfter(task('r1'), say('one'), task('r2'))).toBe('one')
  expect(saidAfter(task('r1'), say('one'), task('r2'), replied('r1'), say('two'))).toBe('two')
  const recalled = got({ kind: 'control', request: 'r1' })
  expect(saidAfter(task('r1'), say('one'), recalled, begins, say('two'))).toBe('two')
})

test('a question that is answered on the way takes nothing from the task', () => {
  const question = got({ kind: 'question', id: '01J0000000000000000000000Q', from: 'bob@demo', sender: 'bob' })
  expect(saidAfter(task('r1'), say('one'), question, replied('01J0000000000000000000000Q'))).toBe('one')
})

test('work without a task begins with nothing said', () => {
  expect(saidAfter(begins, say('one'), ends, begins, say('two'))).toBe('two')
})

test('what is said after the answer amends it, once for each work', () => {
  const late = [task('r1'), begins, say('one'), ends, replied('r1'), begins, got({ from: 'bob@demo' }), say('two')]
  const debts = after(...late)
  expect(amended(debts)).toMatchObject({ kind: 'task', request: 'r1' })
  expect(markedText(debts.said)).toBe('two')
  const told = sent({ to: 'lead@demo', kind: 'result', amends: true })
  expect(amended(after(...late, ends, told))).toBeNull()
  const next = after(...late, ends, told, begins, say('three'))
  expect(amended(next)).toMatchObject({ request: 'r1' })
  expect(amendmentKey(next)).not.toBe(amendmentKey(debts))
})

test('a text that other work came after before it was sent amends the answer before it, and is no part of the next', () => {
  const late = [task('r1'), begins, say('one'), ends, replied('r1'), begins, say('late')]
  const next = after(...late, task('r2'), begins, say('two'))
  expect(amended(next)).toMatchObject({ request: 'r1' })
  expect(markedText(amendmentOf(next))).toBe('late')
  expect(markedText(next.said)).toBe('two')
  expect(
    amended(after(...late, task('r2'), begins, sent({ to: 'lead@demo', kind: 'result', amends: true }))),
  ).toBeNull()
})

test('nothing amends while an answer is owed, before any, and without a text', () => {
  expect(amended(after(begins, say('hello')))).toBeNull()
  expect(amended(after(task('r1'), begins, say('one')))).toBeNull()
  const answered = [task('r1'), begins, say('one'), ends, replied('r1'), begins]
  expect(amended(after(...answered))).toBeNull()
})

test('a text right after a mail of its own to whoever gave the task goes beside it, and no other does', () => {
  const answered = [task('r1'), begins, say('one'), ends, replied('r1'), begins]
  const telling = sent({ to: 'lead@demo' })
  const beside = (...facts: readonly Fact[]): readonly [texts: string, isBeside: boolean] => {
    const debts = after(...answered, ...facts)
    return [markedText(amendmentOf(debts)), isBesideMail(debts)]
  }
  const look = appended(says('', { id: 'c1', name: 'LS', input: {} }))
  expect(beside(telling, say('told'))).toEqual(['told', true])
  expect(beside(telling, look, say('seen'))).toEqual(['seen', false])
  expect(beside(telling, got({ from: 'bob@demo' }), say('seen'))).toEqual(['seen', false])
  expect(beside(sent({ to: 'lead@demo', kind: 'question' }), say('seen'))).toEqual(['seen', false])
  expect(beside(sent({ to: 'bob@demo' }), say('seen'))).toEqual(['seen', false])
  const [texts, isBeside] = beside(say('seen'), telling, say('told'))
  expect([texts, isBeside]).toEqual([expect.stringMatching(/seen[^]*told/), false])
  expect(beside(telling, say('told'), ends, begins, say('seen'))).toEqual([
    expect.stringMatching(/told[^]*seen/),
    false,
  ])
  const out = after(...answered, telling, say('told'))
  expect(amended(after(...answered, telling, say('told'), sent({ key: amendmentKey(out) })))).toBeNull()
})

test('a member has answered when its work ended in order with a text, until something comes that changes that', () => {
  const person: Fact = { type: 'message.appended', message: userMessage('And?') }
  expect(after(begins, say('one')).hasAnswered).toBe(false)
  expect(after(begins, say('one'), ends).hasAnswered).toBe(true)
  expect(after(begins, ends).hasAnswered).toBe(false)
  expect(after(begins, say('one'), { ...ends, reason: 'max_turns' }).hasAnswered).toBe(false)
  expect(after(begins, say('one'), ends, person).hasAnswered).toBe(false)
  expect(after(begins, say('one'), ends, got({ kind: 'result', status: 'done' })).hasAnswered).toBe(false)
  expect(after(begins, say('one'), ends, got({}), begins, ends).hasAnswered).toBe(true)
})

test('a turn serves what it owes an answer, and the texts that it heard until it ends', () => {
  const text = got({ from: 'bo@demo', body: 'Do it.' })
  const bodies = (...facts: readonly Fact[]) => servedNow(after(...facts)).map(({ kind, from }) => `${kind} of ${from}`)
  expect(bodies(begins, text, task('r1'), task('r2'))).toEqual(['task of lead@demo', 'text of bo@demo'])
  expect(bodies(begins, task('r1'), text, ends)).toEqual(['task of lead@demo'])
  expect(bodies(begins, text, { type: 'agent.parked', turn: 1 })).toEqual([])
  expect(bodies(begins, got({ kind: 'question', from: 'bo@demo' }), ends)).toEqual(['question of bo@demo'])
  expect(bodies(begins, got({ from: 'user' }), got({ kind: 'result' }), got({ kind: 'answer' }))).toEqual([])
})
