import { expect, test } from 'vitest'
import { applyDebts, emptyDebts, openDebts } from '../../../src/projections/team/debts.ts'
import type { Envelope } from '../../../src/protocol/mail/envelope.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'

function mail(n: number, more: Partial<Envelope>): Envelope {
  return {
    v: 1,
    id: `01J0000000000000000000000${n}`,
    key: `k${n}`,
    from: 'lead@demo',
    sender: 'lead',
    seq: n,
    to: 'writer@demo',
    kind: 'task',
    priority: 'normal',
    body: `do ${n}`,
    sent_at: n,
    ...more,
  }
}

function debtsAfter(...said: readonly (readonly [owner: string, fact: Fact])[]) {
  const debts = emptyDebts()
  for (const [index, [owner, fact]] of said.entries()) {
    applyDebts(debts, {
      owner,
      entry: { v: 1, seq: index + 1, id: `${owner}-${index}`, parent: null, at: index, ...fact },
    })
  }
  return openDebts(debts)
}

const task = mail(1, { request: 'r1' })
const question = mail(2, { kind: 'question', from: 'user', sender: 'user-01J0000000000000000000000A', to: 'lead@demo' })
const sentTask = ['lead', { type: 'mail.sent', envelope: task }] as const
const gotTask = ['writer', { type: 'mail.received', envelope: task }] as const

test('who owes whom what since when, the oldest first, read or not', () => {
  expect(debtsAfter(['lead', { type: 'mail.received', envelope: question }], sentTask)).toEqual([
    { debtor: 'writer', creditor: 'lead@demo', kind: 'task', what: 'r1', body: 'do 1', since: 1, received: false },
    { debtor: 'lead', creditor: 'user', kind: 'question', what: question.id, body: 'do 2', since: 2, received: true },
  ])
  expect(debtsAfter(sentTask, gotTask)).toMatchObject([{ what: 'r1', received: true }])
})

test('a debt ends with its reply, with the end of its request, or with mail that nobody will read', () => {
  const replied = { type: 'member.replied', request: 'r1', mail_id: 'x' } as const
  expect(debtsAfter(sentTask, gotTask, ['writer', replied])).toEqual([])
  expect(debtsAfter(sentTask, gotTask, ['lead', replied])).toHaveLength(1)
  const settled = { type: 'request.settled', request: 'r1', worker: 'writer', status: 'timed_out' } as const
  expect(debtsAfter(sentTask, ['team', settled])).toEqual([])
  const asked = ['user', { type: 'mail.sent', envelope: question }] as const
  const died = { type: 'mail.died', file: 'f', mail_id: question.id, reason: 'torn' } as const
  expect(debtsAfter(asked, ['lead', died])).toEqual([])
})

test('a question is of no use any more when the work that it was for has ended or was called off', () => {
  const asked = mail(4, { kind: 'question', from: 'writer@demo', sender: 'writer', to: 'lead@demo' })
  const heard = ['lead', { type: 'mail.received', envelope: asked }] as const
  const replied = { type: 'member.replied', request: 'r1', mail_id: 'x' } as const
  expect(debtsAfter(sentTask, gotTask, heard, ['writer', replied])).toEqual([])
  const recall = mail(5, { kind: 'control', priority: 'interrupt', request: 'r1' })
  const settled = { type: 'request.settled', request: 'r1', worker: 'writer', status: 'timed_out' } as const
  const off = ['lead', { type: 'mail.sent', envelope: recall }] as const
  expect(debtsAfter(sentTask, gotTask, heard, ['team', settled], off)).toEqual([])
})

test('what obliges nobody is no debt', () => {
  expect(debtsAfter(['lead', { type: 'mail.sent', envelope: mail(3, { kind: 'text' }) }])).toEqual([])
})
