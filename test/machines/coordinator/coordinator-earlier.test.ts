import { describe, expect, test } from 'vitest'
import { coordinatorMachine, toolsNow } from '../../../machines/coordinator/coordinator.ts'
import type { EarlierBook } from '../../../machines/coordinator/coordinator-event.ts'
import type { BookedRequest } from '../../../machines/coordinator/request-book.ts'
import {
  asked,
  briefed,
  end,
  idled,
  inputOf,
  opened,
  result,
  tools,
  fewer,
  answering,
} from '../support/coordinator-news.ts'
import { isDropped } from '../support/dropped.ts'
import { explore, restingStates } from '../support/explore.ts'
import { summary } from '../support/summary.ts'
import { begin, doneEvent, take, takeAll } from '../support/walk.ts'

const request = (name: string, more: Partial<BookedRequest> = {}): Readonly<Record<string, BookedRequest>> => ({
  [name]: {
    request: name,
    worker: 'writer',
    task: `do ${name}`,
    attempt: 1,
    mail_id: null,
    past: [],
    deadline: null,
    depends_on: [],
    limit_ms: null,
    returns: null,
    held: false,
    instead_of: null,
    round: 1,
    status: 'open',
    counted: false,
    ...more,
  },
})

const left = (state: EarlierBook['state'], more: Partial<EarlierBook> = {}): EarlierBook => ({
  state,
  book: {},
  round: 1,
  before: 0,
  deadline: 1_000,
  lost: [],
  news: 'none',
  at: 400,
  ...more,
})

const open = request('r1')
const done = request('r1', { status: 'done' })
const waiting = request('r2', { held: true, depends_on: ['r1'], limit_ms: 50 })
const handOut =
  'start hand_out:r2:1 {"request":"r2","worker":"writer","task":"do r2","attempt":1,"deadline":550,"depends_on":["r1"],"returns":null}'
const moved = (state: string, of = tools) => `coordinator.moved ${state} ${of}`

/** What an earlier leader left, and what the next one makes of it at 500. */
const beginnings: readonly (readonly [name: string, earlier: EarlierBook, untold: readonly string[], so: string])[] = [
  ['nothing was out', left('planning'), [], `planning | ${moved('planning', fewer)}`],
  ['the lead rested', left('waiting'), [], `waiting | ${moved('waiting', fewer)}`],
  ['it had answered', left('answered'), [], `answered | ${moved('answered')}`],
  ['it was to answer', left('synthesising', { book: done }), [], `synthesising | ${moved('synthesising', answering)}`],
  [
    'a request was out',
    left('gathering', { book: open }),
    [],
    `gathering | alarm round.expired in 600 | ${moved('gathering')}`,
  ],
  [
    'a request with a deadline was out',
    left('gathering', { book: request('r1', { deadline: 450 }) }),
    [],
    `gathering | alarm round.expired in 600 | alarm request.expired in 50 | ${moved('gathering')}`,
  ],
  [
    'the round was overdue',
    left('gathering', { book: open, deadline: 300 }),
    [],
    `gathering | alarm round.expired in 0 | ${moved('gathering')}`,
  ],
  [
    'the last result had just come',
    left('gathering', { book: done }),
    [],
    `synthesising | ${moved('gathering')} | gather.settled all | ${moved('synthesising', answering)}`,
  ],
  [
    'what builds on a result was not handed out yet',
    left('gathering', { book: { ...done, ...waiting } }),
    [],
    `gathering | alarm round.expired in 600 | ${handOut} | alarm request.expired in 50 | ${moved('gathering')}`,
  ],
  [
    'what builds on a failure was not given up yet',
    left('gathering', { book: { ...request('r1', { status: 'failed' }), ...waiting } }),
    [],
    [
      'synthesising',
      'alarm round.expired in 600',
      'request.settled r2 writer failed it builds on r1, which was not done',
      moved('gathering'),
      'gather.settled failed writer (r1): failed; writer (r2): failed: it builds on r1, which was not done',
      moved('synthesising', answering),
    ].join(' | '),
  ],
  [
    'its worker had been given up',
    left('gathering', { book: open, lost: ['writer'] }),
    [],
    [
      'synthesising',
      'alarm round.expired in 600',
      'request.settled r1 writer failed writer is lost',
      moved('gathering'),
      'gather.settled failed writer (r1): failed: writer is lost',
      moved('synthesising', answering),
    ].join(' | '),
  ],
  [
    'a straggler had not been told',
    left('answered', { book: request('r1', { status: 'cancelled', reason: 'enough', counted: true }) }),
    ['r1', 'r7'],
    `answered | start recall:r1:1 {"request":"r1","worker":"writer","reason":"enough"} | ${moved('answered')}`,
  ],
]

const resumed = (untold: readonly string[] = [], unstated: readonly string[] = []) =>
  ({ type: 'run.resumed', untold, unstated, at: 500 }) as const

describe('a run is led on', () => {
  test.each(beginnings)('when %s', (_, earlier, untold, so) => {
    const walk = begin(coordinatorMachine, inputOf({}, { earlier }))
    expect(summary(walk, take(walk, resumed(untold)))).toBe(so)
  })

  test('once', () => {
    const walk = take(begin(coordinatorMachine, inputOf({}, { earlier: left('planning') })), resumed())
    expect(isDropped(walk, resumed())).toBe(false)
    expect(summary(walk, take(walk, resumed()))).toBe('planning')
  })

  test('with an attempt that was made and not stated: it is stated, and what became of its worker follows', () => {
    const sent = request('r1', { mail_id: 'mail-2', attempt: 2, past: ['mail-1'] })
    const earlier = left('gathering', { book: sent, lost: ['writer'] })
    const walk = begin(coordinatorMachine, inputOf({ substitute: 'reader' }, { earlier }))
    expect(summary(walk, take(walk, resumed([], ['r1'])))).toBe(
      [
        'gathering',
        'request.opened r1 writer do r1 mail-2 2 null',
        'alarm round.expired in 600',
        'start hand_out:r1:3 {"request":"r1","worker":"reader","task":"do r1","attempt":3,"deadline":null,"depends_on":[],"returns":null}',
        moved('gathering'),
      ].join(' | '),
    )
  })

  test('after a person opened it again all rounds are left', () => {
    const last = { book: done, round: 5, news: 'told' } as const
    const told = (before: number) =>
      begin(coordinatorMachine, inputOf({}, { earlier: left('synthesising', { ...last, before }) }))
    expect(toolsNow(take(told(0), resumed()).snapshot)).toEqual(['AskUser', 'Answer'])
    expect(toolsNow(take(told(5), resumed()).snapshot)).toEqual([
      'Delegate',
      'SendMessage',
      'AskUser',
      'Wait',
      'Answer',
    ])
  })

  test('with the rounds and the names that there were', () => {
    const earlier = left('answered', { book: request('r1', { status: 'done', counted: true }), round: 3 })
    const walk = takeAll(begin(coordinatorMachine, inputOf({}, { earlier })), [resumed(), opened('r1'), opened('r2')])
    expect(walk.snapshot.context).toMatchObject({
      round: 4,
      book: { r1: { status: 'done', round: 1 }, r2: { round: 4 } },
    })
  })
})

describe('every path of a run that is led on', () => {
  const { states, dead } = explore(coordinatorMachine, {
    input: inputOf({ retry: 0 }, { earlier: left('gathering', { book: { ...open, ...waiting } }) }),
    events: ({ value }) => [
      ['run.resumed', resumed()],
      ['result r1', result('r1')],
      ['result r2', result('r2')],
      ['r1 failed', result('r1', 'failed')],
      ['hand_out answers', doneEvent('hand_out:r2:1', { mail_id: 'm' })],
      ['lead.briefed', briefed],
      ['lead.asked', asked],
      ['lead.idled', idled],
      ...(value === 'answered' || value === 'waiting' ? [['lead.woke', { type: 'lead.woke', at: 30 }] as const] : []),
      ['end', end],
    ],
    key: ({ value, context }) =>
      JSON.stringify([
        value,
        context.news,
        Object.values(context.book).map(({ status, held, counted }) => [status, held, counted]),
      ]),
    limit: 200,
  })

  test('goes through every state, and can end', () => {
    expect(states).toEqual(restingStates(coordinatorMachine))
    expect(dead).toEqual([])
  })
})
