import { expect, test } from 'vitest'
import { compareWork } from '../../../src/projections/work/compare-work.ts'
import { workDone } from '../../../src/projections/work/pieces-of-work.ts'
import { spansOf } from '../../../src/projections/work/spans.ts'
import { userMessage } from '../../../src/protocol/conversation/message.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { Decision } from '../../../src/protocol/permissions/permission.ts'
import { appended, recordedOf, says } from '../journal-of.ts'

type Told = readonly [owner: string, fact: Fact]

const task = (text: string): Told => ['ana', { type: 'message.appended', message: userMessage(text) }]

/** Calls of one answer, each with its end. */
function calls(...commands: readonly string[]): readonly Told[] {
  const blocks = commands.map((command, n) => ({ id: `c${n}`, name: 'Bash', input: { command } }))
  return [
    ['ana', appended(says('Let me see.', ...blocks))],
    ...blocks.map(({ id }): Told => {
      return ['ana', { type: 'call.finished', call_id: id, tool: 'Bash', is_error: false, duration_ms: 1 }]
    }),
  ]
}

const answer = (text: string): Told => ['ana', appended(says(text))]
const done = (...told: readonly Told[]) => workDone(recordedOf(...told))

test('the same work is the same', () => {
  const told = [task('Look.'), ...calls('ls', 'make'), answer('Done.')]
  const [piece, ...others] = compareWork(done(...told), done(...told))
  expect(others).toEqual([])
  expect(piece).toMatchObject({ member: 'ana', same: true, tools: {}, answer: { a: 'Done.', b: 'Done.' } })
  expect(piece?.path.map((step) => step.in)).toEqual(['both', 'both'])
})

test('paths are aligned where they meet again; a call that failed is another step', () => {
  const a = done(task('Look.'), ...calls('ls', 'make', 'cat x'), answer('Done.'))
  const failed: Told = ['ana', { type: 'call.finished', call_id: 'c1', tool: 'Bash', is_error: true, duration_ms: 1 }]
  const [said, first] = calls('ls', 'make', 'cat x')
  const third = calls('ls', 'make', 'cat x').at(-1)
  const told = [said, first, failed, third].flatMap((each) => (each === undefined ? [] : [each]))
  const [piece] = compareWork(a, done(task('Look.'), ...told, answer('Made.')))
  expect(piece?.path).toEqual([
    { in: 'both', label: 'Bash(ls)' },
    { in: 'a', label: 'Bash(make)' },
    { in: 'b', label: 'Bash(make) (error)' },
    { in: 'both', label: 'Bash(cat x)' },
  ])
  expect(piece).toMatchObject({ same: false, answer: { a: 'Done.', b: 'Made.' } })
})

test('pieces of work belong together by their task, in whatever order; the rest in the order of its coming', () => {
  const a = done(task('One.'), answer('1'), task('Two.'), answer('2'))
  const b = done(task('Two.'), answer('2'), task('Three.'), answer('3'), task('Four.'), answer('4'))
  expect(compareWork(a, b).map((piece) => piece.task)).toEqual([
    { a: 'One.', b: 'Three.' },
    { a: 'Two.', b: 'Two.' },
    { a: null, b: 'Four.' },
  ])
})

test('a denied call stays denied, and tools are counted', () => {
  const denied: Told = [
    'ana',
    {
      type: 'permission.decided',
      call_id: 'c0',
      tool: 'Bash',
      decision: { behavior: 'deny', source: 'project', reason: 'no' },
    },
  ]
  const [said, ended] = calls('rm x')
  const told = [said, denied, ended].flatMap((each) => (each === undefined ? [] : [each]))
  const [piece] = compareWork(done(task('Look.'), ...told), done(task('Look.'), answer('Done.')))
  expect(piece?.path).toEqual([{ in: 'a', label: 'Bash(rm x) (denied)' }])
  expect(piece?.tools).toEqual({ Bash: { a: 1, b: 0 } })
})

test('stretches of time end where their work ends, and stay open where a process was killed', () => {
  const spans = spansOf(
    recordedOf(
      ['ana', { type: 'agent.started' }],
      ['ana', { type: 'model.requested', turn: 1, model: 'm' }],
      ['ana', { type: 'turn.continued', turn: 2, reason: 'mail' }],
      ['ana', { type: 'agent.ended', turn: 2, reason: 'completed' }],
      ['bo', { type: 'agent.started' }],
    ),
  )
  expect(spans).toEqual([
    { member: 'ana', kind: 'work', from: 1000, to: 1003, label: '' },
    { member: 'ana', kind: 'model', from: 1001, to: 1002, label: 'm' },
    { member: 'bo', kind: 'work', from: 1004, to: null, label: '' },
  ])
})

test('the wait for an answer ends with the decision, also with one that names no request', () => {
  const decision: Decision = { behavior: 'ask', source: 'mode', reason: 'no rule' }
  const asked = { type: 'permission.requested', tool: 'Bash', decision, deadline: null } as const
  const decided = { type: 'permission.decided', tool: 'Bash', decision } as const
  const spans = spansOf(
    recordedOf(
      ['ana', { ...asked, call_id: 'c1', request: 'c1' }],
      ['ana', { ...decided, call_id: 'c1' }],
      ['ana', { ...asked, call_id: 'c2', request: 'ana-1' }],
      ['ana', { ...decided, call_id: 'c2', request: 'ana-1' }],
    ),
  )
  expect(spans).toEqual([
    { member: 'ana', kind: 'wait', from: 1000, to: 1001, label: 'Bash' },
    { member: 'ana', kind: 'wait', from: 1002, to: 1003, label: 'Bash' },
  ])
})
