import { expect, test } from 'vitest'
import { judgeBatch } from '../../../../src/adapters/mailbox/receive/batch.ts'
import type { Envelope } from '../../../../src/protocol/mail/envelope.ts'

const nothing: Parameters<typeof judgeBatch>[1] = { highWater: () => 0, died: () => false, received: () => false }

function mail(seq: number, id = `id-${seq}`, sender = 'lead') {
  const envelope: Envelope = {
    v: 1,
    id,
    key: id,
    from: 'lead@demo',
    sender,
    seq,
    to: 'writer@demo',
    kind: 'text',
    priority: 'normal',
    body: '',
    sent_at: 0,
  }
  return { file: `${sender}-${seq}-${id}.json`, reading: { envelope } }
}

const outcome = (files: Parameters<typeof judgeBatch>[0], log = nothing) =>
  judgeBatch(files, log, false).map(({ into, fact }) => `${into} ${fact?.type ?? 'in silence'}`)

test('a number may be skipped: it counts the mail to everyone', () => {
  expect(outcome([mail(1), mail(4), mail(5)])).toEqual(Array(3).fill('done mail.received'))
})

test('one id is one mail, also under another number and within a batch', () => {
  expect(outcome([mail(1, 'same'), mail(2, 'same')])).toEqual(['done mail.received', 'done in silence'])
  expect(outcome([mail(9, 'same')], { ...nothing, received: (id) => id === 'same' })).toEqual(['done in silence'])
})

test('a number that does not rise dies, per sender', () => {
  expect(outcome([mail(2), mail(2, 'other'), mail(1), mail(1, 'writer 1', 'historian')])).toEqual([
    'done mail.received',
    'dead mail.died',
    'dead mail.died',
    'done mail.received',
  ])
  expect(outcome([mail(3)], { ...nothing, highWater: () => 3 })).toEqual(['dead mail.died'])
})

test('what could not be read dies with its reason and, when the name told it, its id', () => {
  const judged = judgeBatch(
    [
      { file: 'a', reading: { reason: 'it is empty', id: 'x' } },
      { file: 'b', reading: { reason: 'r' } },
    ],
    nothing,
    false,
  )
  expect(judged.map(({ fact }) => fact)).toEqual([
    { type: 'mail.died', file: 'a', reason: 'it is empty', mail_id: 'x' },
    { type: 'mail.died', file: 'b', reason: 'r' },
  ])
})
