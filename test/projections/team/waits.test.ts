import { expect, test } from 'vitest'
import { applyWaits, emptyWaits, vainWaits, waitingFor } from '../../../src/projections/team/waits.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'

type Said = readonly [owner: string, fact: Fact]

const idles = (owner: string): Said => [owner, { type: 'member.idled' }]
const waits = (owner: string, of: string): Said => [
  owner,
  { type: 'member.waits', wait: `${owner}-${of}`, for: of, reason: 'a word' },
]
const asks = (owner: string, to: string, kind: 'question' | 'text' = 'question'): Said => [
  owner,
  {
    type: 'mail.sent',
    envelope: {
      v: 1,
      id: `${owner}-${to}`,
      key: 'k',
      from: `${owner}@t`,
      sender: owner,
      seq: 1,
      to: `${to}@t`,
      kind,
      priority: 'normal',
      body: 'What?',
      sent_at: 0,
    },
  },
]
const reads = (owner: string, from: string): Said => {
  const [, sent] = asks(from, owner)
  if (sent.type !== 'mail.sent') throw new Error('no mail')
  return [owner, { type: 'mail.received', envelope: sent.envelope }]
}
const opens = (request: string, worker: string): Said => [
  'lead',
  { type: 'request.opened', request, worker, task: 't', mail_id: request, attempt: 1, deadline: null },
]
const holds = (request: string, worker: string, ...depends_on: readonly string[]): Said => [
  'lead',
  { type: 'request.held', request, worker, task: 't', depends_on: [...depends_on], limit_ms: null },
]
const ends = (request: string, worker: string): Said => [
  'team',
  { type: 'request.settled', request, worker, status: 'done' },
]

function after(...said: readonly Said[]) {
  const state = emptyWaits('lead', new Map([['hand-1', 'hand']]))
  for (const [at, [owner, fact]] of said.entries())
    applyWaits(state, { owner, entry: { v: 1, seq: at + 1, id: `${at}`, parent: null, at, ...fact } })
  return state
}
const told = (...said: readonly Said[]): readonly string[] =>
  vainWaits(after(...said)).map(({ member, text }) => `${member}: ${text.slice(0, text.indexOf('. ') + 1)}`)

const ring = (...names: readonly string[]): string =>
  `You wait in a ring: ${names
    .map((name, place) => `${name} waits for ${names[place + 1]}`)
    .slice(0, -1)
    .join(', ')}.`

test.each<readonly [name: string, said: readonly Said[], told: readonly string[]]>([
  ['a busy member may still write', [['a', { type: 'member.woke' }], waits('b', 'a'), idles('b')], []],
  [
    'one at rest will not',
    [idles('a'), waits('b', 'a'), idles('b')],
    ['b: You wait for a in vain: it has ended its work and will not write by itself.'],
  ],
  [
    'one that never had work will not',
    [waits('b', 'a'), idles('b')],
    ['b: You wait for a in vain: it has nothing to do and will not write by itself.'],
  ],
  ['one with mail will move', [idles('a'), asks('c', 'a', 'text'), waits('b', 'a'), idles('b')], []],
  ['one whose piece is held will begin', [opens('r1', 'c'), holds('r2', 'a', 'r1'), waits('b', 'a'), idles('b')], []],
  [
    'a replica whose card has a held piece will begin',
    [opens('r1', 'c'), holds('r2', 'hand', 'r1'), waits('b', 'hand-1'), idles('b')],
    [],
  ],
  [
    'one that is only called like another is no replica of it',
    [opens('r1', 'c'), holds('r2', 'a', 'r1'), waits('b', 'a-x'), idles('b')],
    ['b: You wait for a-x in vain: it has nothing to do and will not write by itself.'],
  ],
  [
    'one that is lost is told of as such',
    [waits('b', 'a'), idles('b'), ['team', { type: 'member.lost', member: 'a', reason: 'crashed' }]],
    ['b: You wait for a in vain: it failed and is not started again.'],
  ],
  [
    'one that was stopped is told of as such',
    [waits('b', 'a'), idles('b'), ['a', { type: 'member.gone', reason: 'stopped' }]],
    ['b: You wait for a in vain: it was stopped.'],
  ],
  [
    'two that wait for each other are a ring',
    [waits('a', 'b'), idles('a'), waits('b', 'a'), idles('b')],
    [`b: ${ring('b', 'a', 'b')}`],
  ],
  [
    'questions and waits make one ring',
    [waits('a', 'b'), idles('a'), asks('b', 'c'), waits('c', 'a'), idles('c'), reads('c', 'b'), idles('b')],
    [`c: ${ring('c', 'a', 'b', 'c')}`],
  ],
  [
    'a ring goes through the lead, which waits for its requests',
    [opens('r1', 'a'), idles('lead'), waits('a', 'lead'), idles('a')],
    [`a: ${ring('a', 'lead', 'a')}`],
  ],
  [
    'a ring goes through a piece that needs the waiting one',
    [opens('r1', 'a'), holds('r2', 'b', 'r1'), waits('a', 'b'), idles('a')],
    [`a: ${ring('a', 'b', 'a')}`],
  ],
  [
    'a piece of its own that waits for a place hides no ring',
    [opens('r1', 'a'), holds('r2', 'a'), idles('lead'), waits('a', 'lead'), idles('a')],
    [`a: ${ring('a', 'lead', 'a')}`],
  ],
  [
    'somebody outside of the ring who moves keeps it up',
    [waits('a', 'b'), waits('a', 'c'), idles('a'), waits('b', 'a'), idles('b'), ['c', { type: 'member.woke' }]],
    [],
  ],
  ['a word ends the wait', [idles('a'), waits('b', 'a'), reads('b', 'a'), idles('b')], []],
  [
    'a report ends it, too',
    [idles('a'), waits('b', 'a'), ['b', { type: 'member.reported', request: 'r1', text: 'Done.' }], idles('b')],
    [],
  ],
])('%s', (_, said, expected) => {
  expect(told(...said)).toEqual(expected)
})

test('the ended work of the other is named, and the faces say whom a member waits for', () => {
  const state = after(opens('r1', 'a'), ends('r1', 'a'), idles('a'), waits('b', 'a'), idles('b'))
  expect(vainWaits(state)[0]?.text).toContain('Its work on r1 ended: done.')
  expect([waitingFor(state, 'a'), waitingFor(state, 'b')]).toEqual([[], ['a']])
})

test('mail that was read is not remembered, whichever journal told of it first, nor is mail of persons', () => {
  const left = (...said: readonly Said[]): number => {
    const { early, inFlight } = after(...said)
    return early.size + inFlight.size
  }
  const [, sent] = asks('user', 'a')
  if (sent.type !== 'mail.sent') throw new Error('no mail')
  const envelope = { ...sent.envelope, from: 'user', sender: 'user-01J00000000000000000000001' } as const
  expect(left(asks('b', 'a'), reads('a', 'b'))).toBe(0)
  expect(left(reads('a', 'b'), asks('b', 'a'))).toBe(0)
  expect(left(['a', { type: 'mail.received', envelope }])).toBe(0)
  expect(left([envelope.sender, { type: 'mail.sent', envelope }])).toBe(0)
  expect(left(['a', { type: 'mail.died', file: 'f', mail_id: envelope.id, reason: 'r', from: 'user' }])).toBe(0)
})
