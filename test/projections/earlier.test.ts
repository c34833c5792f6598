import { expect, test } from 'vitest'
import { applyLives, type EarlierLives } from '../../src/projections/team/earlier-lives.ts'
import { applyRequests, noRequests } from '../../src/projections/team/earlier-requests.ts'
import { gatherNote } from '../../src/rules/team/gather-note.ts'
import { userMessage } from '../../src/protocol/conversation/message.ts'
import type { Entry, Recorded } from '../../src/protocol/facts/entry.ts'
import type { Envelope } from '../../src/protocol/mail/envelope.ts'
import type { Fact } from '../../src/protocol/facts/fact.ts'

let at = 0
const said = (owner: string, fact: Fact): Recorded => {
  at += 10
  const entry: Entry = { v: 1, seq: at / 10, id: `${owner}-${at}`, parent: null, at, ...fact }
  return { owner, entry }
}
const opened = (request: string, attempt = 1): Recorded =>
  said('team', { type: 'request.opened', request, worker: 'ana', task: 'Look.', mail_id: 'm', attempt, deadline: null })

const letter: Envelope = {
  v: 1,
  id: '01J',
  key: 'k',
  sender: 'lead',
  seq: 1,
  from: 'lead@demo',
  to: 'ana@demo',
  kind: 'text',
  priority: 'normal',
  body: '',
  sent_at: 1,
  mac: '',
}

test('a book is taken up as it stood: rounds, endings that were counted, attempts', () => {
  const book = noRequests('lead')
  for (const recorded of [
    said('team', { type: 'coordinator.moved', state: 'planning', tools: [] }),
    opened('r1'),
    said('team', { type: 'gather.opened', deadline: 900 }),
    said('team', { type: 'coordinator.moved', state: 'gathering', tools: [] }),
    opened('r2'),
    opened('r1', 2),
    said('team', { type: 'request.settled', request: 'r1', worker: 'ana', status: 'done' }),
  ])
    applyRequests(book, recorded)
  expect(book).toMatchObject({ round: 1, deadline: 900, news: 'none', state: 'gathering' })
  expect(book.requests.get('r1')).toMatchObject({ attempt: 2, status: 'done', counted: false, round: 1 })
  expect(book.requests.get('r2')).toMatchObject({ attempt: 1, status: 'open', round: 1 })
  applyRequests(book, said('team', { type: 'gather.settled', why: 'any' }))
  expect(book).toMatchObject({ news: 'untold', state: 'synthesising' })
  expect(book.requests.get('r1')).toMatchObject({ counted: true })
  const asked = said('lead', { type: 'model.requested', turn: 2, model: 'm' })
  applyRequests(book, asked)
  expect(book).toMatchObject({ news: 'untold' })
  const note = userMessage(gatherNote('any', [], { rounds: 4, of: 5, budget: [] }), 'runtime')
  applyRequests(book, said('lead', { type: 'message.appended', message: note }))
  expect(book).toMatchObject({ news: 'told' })
  applyRequests(book, asked)
  expect(book).toMatchObject({ news: 'none' })
})

test('a progressive round goes on while something is out', () => {
  const book = noRequests('lead')
  const settled = (request: string): readonly Recorded[] => [
    said('team', { type: 'request.settled', request, worker: 'ana', status: 'done' }),
    said('team', { type: 'gather.settled', why: 'progressive' }),
  ]
  const moved = said('team', { type: 'coordinator.moved', state: 'gathering', tools: [] })
  for (const recorded of [opened('r1'), opened('r2'), moved, ...settled('r1')]) applyRequests(book, recorded)
  expect(book.state).toBe('gathering')
  for (const recorded of settled('r2')) applyRequests(book, recorded)
  expect(book.state).toBe('synthesising')
})

test('who has answered, or was called off, need not be told; a new attempt knows nothing', () => {
  const book = noRequests('lead')
  const mail = (kind: Envelope['kind'], request: string): Recorded =>
    said('lead', { type: 'mail.sent', envelope: { ...letter, kind, request } })
  for (const recorded of [
    ...['r1', 'r2', 'r3', 'r4'].map((request) => opened(request)),
    mail('control', 'r1'),
    mail('result', 'r2'),
    mail('result', 'r3'),
    opened('r3', 2),
    mail('task', 'r4'),
  ])
    applyRequests(book, recorded)
  expect([...book.requests.values()].map(({ told }) => told)).toEqual([true, true, false, false])
})

test('the second round is another one', () => {
  const book = noRequests('lead')
  const moved = (state: string): Recorded => said('team', { type: 'coordinator.moved', state, tools: [] })
  for (const recorded of [opened('r1'), moved('gathering'), moved('synthesising'), moved('planning'), opened('r2')])
    applyRequests(book, recorded)
  expect(book.requests.get('r2')).toMatchObject({ round: 2 })
})

test('a leader that died before it said when a round ends leaves that open, also after an earlier round', () => {
  const state = noRequests('lead')
  for (const recorded of [
    opened('r1'),
    said('team', { type: 'gather.opened', deadline: 500 }),
    said('team', { type: 'gather.settled', why: 'all' }),
    said('team', { type: 'coordinator.moved', state: 'planning', tools: [] }),
  ])
    applyRequests(state, recorded)
  expect(state).toMatchObject({ round: 1, deadline: 500 })
  const second = opened('r2')
  applyRequests(state, second)
  expect(state).toMatchObject({ round: 2, deadline: null, began: second.entry.at })
})

test('lives are taken up with their attempts and crashes', () => {
  const lives: EarlierLives = new Map()
  for (const recorded of [
    said('team', { type: 'member.spawned', member: 'ana', attempt: 1 }),
    said('team', { type: 'member.crashed', member: 'ana', error: 'killed' }),
    said('team', { type: 'member.spawned', member: 'ana', attempt: 2 }),
    said('team', { type: 'member.spawned', member: 'bo', attempt: 1 }),
    said('bo', { type: 'member.gone', reason: 'stopped' }),
    said('team', { type: 'member.lost', member: 'cy', reason: 'too many crashes' }),
  ])
    applyLives(lives, recorded)
  expect(lives.get('ana')).toMatchObject({ attempt: 2, state: 'running', crashes: [expect.any(Number)] })
  expect(lives.get('bo')).toMatchObject({ attempt: 1, state: 'absent' })
  expect(lives.get('cy')).toMatchObject({ state: 'lost' })
})
