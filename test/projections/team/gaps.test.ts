import { describe, expect, test } from 'vitest'
import { gapsIn, type LeftRun } from '../../../src/projections/team/gaps.ts'
import { lostMail } from '../../../src/projections/team/lost-mail.ts'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { Envelope } from '../../../src/protocol/mail/envelope.ts'
import { noUsage } from '../../../src/protocol/conversation/message.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'

const team = sampleTeam(['lead', 'writer'])

function mail(seq: number, more: Partial<Envelope> = {}): Envelope {
  const { sender = 'lead' } = more
  return {
    v: 1,
    id: `01J${String(seq).padStart(23, '0')}`,
    key: `call:toolu_${seq}:0`,
    from: sender.startsWith('user') ? 'user' : `${sender}@demo`,
    sender,
    seq,
    to: 'writer@demo',
    kind: 'text',
    priority: 'normal',
    body: `words ${seq}`,
    sent_at: seq,
    ...more,
  }
}

/** Facts of each owner, one a millisecond. */
function past(journals: Readonly<Record<string, readonly Fact[]>>): readonly Recorded[] {
  return Object.entries(journals).flatMap(([owner, facts]) =>
    facts.map((fact, index): Recorded => {
      const frame = { v: 1, seq: index + 1, id: `${owner}-${index + 1}`, parent: null, at: index + 1 } as const
      return { owner, entry: { ...frame, ...fact } }
    }),
  )
}

const sent = (envelope: Envelope): Fact => ({ type: 'mail.sent', envelope })
const received = (envelope: Envelope): Fact => ({ type: 'mail.received', envelope })
const idled: Fact = { type: 'member.idled' }

describe('lostMail', () => {
  test('takes mail that both sides have, or that waits, died or was not written yet, for no loss', () => {
    const [first, second, third, last] = [mail(1), mail(2), mail(3), mail(4)]
    const died: Fact = { type: 'mail.died', file: 'x', mail_id: third.id, reason: 'torn' }
    const recorded = past({
      lead: [sent(first), idled, sent(second), idled, sent(third), idled, sent(last)],
      writer: [received(first), died],
    })
    expect(lostMail(recorded, [{ id: second.id, folder: 'other' }])).toEqual({
      unsent: [],
      unread: [],
      unknown: new Map(),
    })
  })

  test('finds what the sender, the recipient or everybody lost', () => {
    const [first, second, fourth] = [mail(1), mail(2), mail(4)]
    const recorded = past({ lead: [sent(first), idled, sent(second), idled, sent(mail(5))], writer: [] })
    const boxes = [
      { id: second.id, folder: 'done' },
      { id: fourth.id, folder: 'other', envelope: fourth },
    ] as const
    expect(lostMail(recorded, boxes)).toEqual({
      unsent: [fourth],
      unread: [first, second],
      unknown: new Map([['lead', [3]]]),
    })
  })

  test('asks nobody for what a person sent, and brings no word to a life that is over', () => {
    const person = mail(3, { sender: 'user-01J0000000000000000000000A' })
    const fenced = mail(1, { incarnation: 'x' })
    const recorded = past({
      lead: [sent(fenced), idled, sent(mail(2, { kind: 'shutdown' })), idled, sent(mail(9))],
      writer: [received(person)],
    })
    expect(lostMail(recorded, [])).toMatchObject({ unsent: [], unread: [] })
  })
})

describe('gapsIn', () => {
  const left = (recorded: readonly Recorded[], boxes: LeftRun['boxes'] = []): LeftRun => ({
    recorded,
    boxes,
    team,
    run: 'demo-1',
    task: 'Begin.',
  })
  const started: Fact = { type: 'team.started', run: 'demo-1', team: 'demo', hash: team.hash, task: 'Begin.' }
  const spawned: Fact = { type: 'member.spawned', member: 'writer', attempt: 1 }

  test('finds none in a run that is whole', () => {
    const task = mail(1, { kind: 'task', request: 'r1' })
    const opened: Fact = {
      type: 'request.opened',
      request: 'r1',
      worker: 'writer',
      task: 'x',
      mail_id: task.id,
      attempt: 1,
      deadline: null,
    }
    const recorded = past({ team: [started, spawned, opened], lead: [sent(task)], writer: [received(task)] })
    expect(gapsIn(left(recorded))).toEqual({ mends: new Map(), asks: [], texts: [] })
  })

  test('a coordinator that lost everything has its task, its call and its request again', () => {
    const task = mail(1, { kind: 'task', request: 'r1', body: 'Look.' })
    const { mends } = gapsIn(left(past({ team: [started, spawned], writer: [received(task)] })))
    expect(mends.get('lead')?.map(({ fact }) => fact)).toMatchObject([
      { type: 'message.appended', message: { role: 'user', content: [{ text: 'Begin.' }] } },
      {
        type: 'message.appended',
        message: {
          role: 'assistant',
          content: [{ id: 'toolu_1', input: { subtasks: [{ worker: 'writer', task: 'Look.' }] } }],
        },
      },
      { type: 'mail.sent', envelope: { id: task.id } },
      { type: 'message.appended', message: { role: 'tool', results: [{ call_id: 'toolu_1', is_error: false }] } },
    ])
    expect(mends.get('team')?.map(({ fact }) => fact)).toMatchObject([
      { type: 'request.opened', request: 'r1', worker: 'writer', mail_id: task.id, attempt: 1 },
    ])
  })

  test('a piece that was to wait waits again, as its call says', () => {
    const input = {
      subtasks: [
        { worker: 'writer', task: 'Look.' },
        { worker: 'writer', task: 'Write.', context: 'In prose.', depends_on: [1] },
      ],
    }
    const task = mail(1, { kind: 'task', request: 'r1' })
    const result = {
      call_id: 'toolu_1',
      tool: 'Delegate',
      content: [{ type: 'text' as const, text: 'r1 → writer\nr2 → writer, after r1' }],
      is_error: false,
    }
    const lead: Fact[] = [
      {
        type: 'message.appended',
        message: {
          role: 'assistant',
          model: 'a/b',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'Delegate', input }],
          stop: 'tools',
          usage: noUsage,
        },
      },
      sent(task),
      { type: 'message.appended', message: { role: 'tool', results: [result] } },
    ]
    const { mends, texts } = gapsIn(left(past({ team: [started, spawned], lead, writer: [received(task)] })))
    expect(mends.get('team')?.map(({ fact }) => fact)).toMatchObject([
      { type: 'request.opened', request: 'r1' },
      {
        type: 'request.held',
        request: 'r2',
        task: 'Write.\n\nContext:\nIn prose.',
        depends_on: ['r1'],
        key: 'call:toolu_1:1',
      },
    ])
    expect(texts).toEqual([expect.stringMatching(/team's journal is lost; again in it: r1, r2$/)])
  })

  test('an ask of the board is read once more, and a number that nobody has is named', () => {
    const ask = mail(2, { kind: 'control', to: 'team@demo', sender: 'writer', from: 'writer@demo' })
    const { asks, texts } = gapsIn(
      left(
        past({
          team: [started, spawned],
          writer: [sent(ask), idled, sent(mail(3, { sender: 'writer', to: 'lead@demo' }))],
          lead: [],
        }),
        [{ id: ask.id, folder: 'done' }],
      ),
    )
    expect(asks).toEqual([ask])
    expect(texts).toEqual(['no journal and no box has the messages 1 of writer: they are lost'])
  })
})
