import { describe, expect, test } from 'vitest'
import {
  applyRoster,
  currentCall,
  doing,
  emptyRoster,
  waitText,
  type MemberView,
} from '../../../src/projections/screen/roster.ts'
import { applyLed } from '../../../src/projections/screen/led.ts'
import { activityText, conditionOf } from '../../../src/projections/screen/condition.ts'
import { todoProgress } from '../../../src/projections/member/arranged.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { appended, recordedOf, says, settled } from '../journal-of.ts'
import { taskMail } from '../moment/eventful-run.ts'

function viewAfter(...facts: readonly Fact[]): MemberView {
  const roster = emptyRoster(['lead', 'historian'])
  for (const recorded of recordedOf(...facts.map((fact) => ['historian', fact] as const))) applyRoster(roster, recorded)
  const view = roster.get('historian')
  if (!view) throw new Error('no such member')
  return view
}

const asks = appended(
  says(
    'I look.',
    { id: 'c1', name: 'Bash', input: { command: 'git log' } },
    { id: 'c2', name: 'Read', input: { file_path: '/a' } },
  ),
)
const start = (call_id: string, tool: string): Fact => ({ type: 'call.started', call_id, tool })
const finish = (call_id: string): Fact => ({
  type: 'call.finished',
  call_id,
  tool: 'Bash',
  is_error: false,
  duration_ms: 1,
})

const decision = { behavior: 'ask', source: 'mode', reason: 'it runs a command' } as const
const waits: Fact = {
  type: 'permission.requested',
  call_id: 'c1',
  tool: 'Bash',
  request: 'historian-1-1',
  decision,
  deadline: null,
}

describe('the roster', () => {
  test('shows what waits for approval, until it was decided, is over, or its member fell', () => {
    const decided: Fact = {
      type: 'permission.decided',
      call_id: 'c1',
      tool: 'Bash',
      decision: { ...decision, behavior: 'allow' },
    }
    expect([...viewAfter(asks, waits).waiting]).toEqual([['c1', 'Bash(git log)']])
    for (const end of [decided, finish('c1'), { type: 'member.crashed', member: 'historian', error: 'x' } as const])
      expect(viewAfter(asks, waits, end).waiting.size).toBe(0)
  })

  test('names the workers whose results a delegating member waits for', () => {
    const envelope = {
      v: 1,
      id: 'm',
      key: 'k',
      from: 'historian@t',
      sender: 'historian',
      seq: 1,
      priority: 'normal',
    } as const
    const sends = (request: string, to: string): Fact => ({
      type: 'mail.sent',
      envelope: { ...envelope, to, kind: 'task', request, body: 'Go.', sent_at: 1, mac: 'x' } as never,
    })
    const parked: Fact = { type: 'agent.parked', turn: 1 }
    const woke: Fact = { type: 'member.woke' }
    const ends: Fact = { type: 'request.settled', request: 'r1', worker: 'ana', status: 'done' }
    const out = [woke, sends('r1', 'ana@t'), sends('r2', 'bo@t'), sends('r3', 'bo@t')]
    expect(waitText(viewAfter(...out))).toBe(null)
    expect(waitText(viewAfter(...out, parked))).toBe('waiting for ana, bo')
    expect(waitText(viewAfter(...out, parked, ends))).toBe('waiting for bo')
  })

  test('keeps the todo list, and says which step is at hand', () => {
    const todos = [
      { content: 'Read', status: 'completed' as const },
      { content: 'Count', status: 'in_progress' as const, activeForm: 'Counting' },
    ]
    const written: Fact = { type: 'todos.changed', call_id: 'c1', todos }
    expect(viewAfter(written).todos).toEqual(todos)
    expect(todoProgress(todos)).toBe('1/2 Counting')
    expect(todoProgress(todos.slice(0, 1))).toBeNull()
    expect(viewAfter(written, { type: 'member.renewed' }).todos).toEqual([])
  })

  test('lists those that have not started', () => {
    expect([...emptyRoster(['a', 'b']).values()].map(({ name, state }) => [name, state])).toEqual([
      ['a', 'not_started'],
      ['b', 'not_started'],
    ])
  })

  test('follows a turn', () => {
    expect(viewAfter({ type: 'member.woke' })).toMatchObject({ state: 'busy', phase: null })
    expect(viewAfter({ type: 'member.woke' }, { type: 'model.requested', turn: 3, model: 'm' })).toMatchObject({
      phase: 'thinking',
      turn: 3,
    })
    expect(viewAfter(asks, start('c1', 'Bash'))).toMatchObject({ phase: 'acting' })
    expect(viewAfter({ type: 'agent.parked', turn: 1 }).phase).toBe('parked')
    expect(
      viewAfter({ type: 'agent.parked', turn: 1 }, { type: 'agent.ended', turn: 1, reason: 'completed' }).phase,
    ).toBeNull()
    expect(viewAfter({ type: 'model.requested', turn: 1, model: 'm' }, { type: 'member.idled' })).toMatchObject({
      state: 'idle',
      phase: null,
    })
  })

  test('shows the calls that run by what they do', () => {
    expect(currentCall(viewAfter(asks))).toBeNull()
    expect(currentCall(viewAfter(asks, start('c1', 'Bash')))).toEqual({ label: 'Bash(git log)', others: 0 })
    expect(currentCall(viewAfter(asks, start('c1', 'Bash'), start('c2', 'Read')))).toEqual({
      label: 'Bash(git log)',
      others: 1,
    })
    expect(currentCall(viewAfter(asks, start('c1', 'Bash'), start('c2', 'Read'), finish('c1')))).toEqual({
      label: 'Read(/a)',
      others: 0,
    })
    expect(currentCall(viewAfter(start('c9', 'Grep')))).toEqual({ label: 'Grep', others: 0 })
  })

  test('keeps the latest text and the tokens', () => {
    const view = viewAfter(appended(says(' found it ')), settled({ input: 4, output: 2 }), appended(says('  ')))
    expect(view.text).toBe('found it')
    expect(view.spending.usage).toMatchObject({ input: 4, output: 2 })
  })

  test('a crash ends what ran and says why', () => {
    const roster = emptyRoster(['historian'])
    const said = [
      ['historian', start('c1', 'Bash')],
      ['team', { type: 'member.crashed', member: 'historian', error: 'boom' }],
    ] as const
    const views = recordedOf(...said).map((recorded) => applyRoster(roster, recorded))
    expect(views[1]).toMatchObject({ name: 'historian', state: 'crashed', trouble: 'boom', phase: null })
    expect(views[1] && currentCall(views[1])).toBeNull()
  })

  test('a member whose work failed needs a person, and says why, until its next work', () => {
    const failure = { code: 'invalid_request', message: 'the model was retired' } as const
    const ended: Fact = { type: 'agent.ended', turn: 1, reason: 'failed', failure }
    const failed = viewAfter({ type: 'member.woke' }, ended, { type: 'member.idled', reason: 'nothing_to_do' })
    expect([conditionOf(failed), activityText(failed)]).toEqual(['failed', 'failed: the model was retired'])
    const next = viewAfter({ type: 'member.woke' }, ended, { type: 'member.idled' }, { type: 'member.woke' })
    expect([conditionOf(next), activityText(next)]).toEqual(['thinking', 'busy'])
  })

  test.each([
    ['at work', [{ type: 'member.woke' }], 'interrupted'],
    ['waiting', [{ type: 'member.idled', reason: 'waiting_for_results' }], 'interrupted'],
    ['asking', [{ type: 'member.woke' }, asks, waits], 'asks'],
    ['done', [{ type: 'member.woke' }, { type: 'member.idled', reason: 'nothing_to_do' }], 'idle'],
    ['gone', [{ type: 'member.gone', reason: 'x' }], 'gone'],
  ] as const)('a member that is %s when nobody leads the run any more', (_, facts, condition) => {
    const view = viewAfter(...facts)
    const roster = new Map([['historian', view]])
    applyLed(roster, false)
    expect(conditionOf(view)).toBe(condition)
    expect([activityText(view), doing(view)].includes('interrupted')).toBe(condition === 'interrupted')
    for (const recorded of recordedOf(['historian', { type: 'member.woke' }])) applyRoster(roster, recorded)
    expect(view.interrupted).toBe(false)
  })

  test('says which member a fact is about; the leader is none', () => {
    const roster = emptyRoster()
    const [own, spawned, ended] = recordedOf(
      ['lead', { type: 'member.woke' }],
      ['team', { type: 'member.spawned', member: 'writer', attempt: 1 }],
      ['team', { type: 'team.ended', status: 'completed', reason: 'completed', result: null }],
    ).map((recorded) => applyRoster(roster, recorded))
    expect([own?.name, spawned?.name, ended]).toEqual(['lead', 'writer', null])
    expect([...roster.keys()]).toEqual(['lead', 'writer'])
  })
})

test('the leader takes in mail about the board, and is no member', () => {
  const roster = emptyRoster(['lead'])
  const body = JSON.stringify({ ask: 'claim', task: 1 })
  for (const recorded of recordedOf([
    'team',
    { type: 'mail.received', envelope: { ...taskMail, kind: 'control', body } },
  ]))
    applyRoster(roster, recorded)
  expect([...roster.keys()]).toEqual(['lead'])
})
