import { describe, expect, test } from 'vitest'
import { errorResult, type ToolResult } from '../../../src/protocol/conversation/message.ts'
import { calling, commands, errorOutcome, intakes, outcome } from '../support/agent-samples.ts'
import { asked, at, ends, newFacts, said, sends, starts, type AgentWalk } from '../support/agent-walk.ts'
import { added, answer, childrenOf, errorEvent, factsOf, reject, take } from '../support/walk.ts'

const reads = 25
const crowd = Array.from({ length: reads }, (_, n) => [`r${n}`, 'Read'] as const)
const interrupted = 'Interrupted by user'
const cancelled = 'Cancelled: a parallel call failed'

/** 25 calls that may all run at a time, then one alone. */
function acting(): AgentWalk {
  return said(asked({ limits: { max_turns: 3, parallel_calls: 100 } }), calling(...crowd, ['z', 'Bash']))
}

function breathed(walk: AgentWalk): AgentWalk {
  return answer(walk, 'breathe')
}

function begun(before: AgentWalk, after: AgentWalk): readonly string[] {
  return added(before, after).flatMap((effect) => (effect.kind === 'start' ? [effect.id] : []))
}

function names(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from }, (_, n) => String(from + n))
}

/** These end well, in this order. */
function end(walk: AgentWalk, places: Iterable<number>): AgentWalk {
  return [...places].reduce((so, n) => ends(so, String(n), outcome(`r${n}`, 'Read')), walk)
}

function upTo(n: number): Iterable<number> {
  return Array.from({ length: n }).keys()
}

function finished(from: number, to: number) {
  return Array.from({ length: to - from }, (_, n) => ({
    type: 'call.finished',
    call_id: `r${from + n}`,
    tool: 'Read',
    is_error: true,
    duration_ms: 0,
  }))
}

function results(walk: AgentWalk): readonly ToolResult[] {
  const messages = factsOf(walk.effects).flatMap((fact) => (fact.type === 'message.appended' ? [fact.message] : []))
  return messages.findLast((message) => message.role === 'tool')?.results ?? []
}

describe('a large batch', () => {
  test('begins in waves, the next after a breath', () => {
    const first = acting()
    expect(begun(asked(), first).slice(-11)).toEqual([...names(0, 10), 'breath'])
    const second = breathed(first)
    expect(begun(first, second)).toEqual([...names(10, 20), 'breath'])
    const third = breathed(second)
    expect(begun(second, third)).toEqual(names(20, 25))
    expect(childrenOf(third.snapshot).map(({ id }) => id)).toEqual(names(0, 25))
  })

  test('lets each call go as it ends', () => {
    const first = acting()
    const one = end(first, [3])
    expect(added(first, one)).toEqual([{ kind: 'stop', id: '3' }])
  })

  test('waits for nobody to begin the next wave, and for all to end', () => {
    const quick = end(acting(), upTo(10))
    expect(at(quick)).toBe('acting.running')
    const rest = breathed(breathed(quick))
    const most = end(rest, [...upTo(reads)].slice(10, 24).toReversed())
    expect(at(most)).toBe('acting.running')
    const over = end(most, [24])
    expect(at(over)).toBe('acting.between')
    const walk = ends(answer(over, 'intake', intakes.go), '25', outcome('z', 'Bash'))
    expect(results(walk).map(({ call_id }) => call_id)).toEqual([...crowd.map(([id]) => id), 'z'])
  })

  test('goes on when the breath is lost', () => {
    const first = acting()
    expect(begun(first, reject(first, 'breathe', 'no timers'))).toEqual([...names(10, 20), 'breath'])
  })

  test('of no more than ten begins at once and breathes never', () => {
    const walk = said(asked({ limits: { max_turns: 3, parallel_calls: 100 } }), calling(...crowd.slice(0, 10)))
    expect(starts(walk.effects).filter(([src]) => src === 'breathe')).toEqual([])
  })
})

describe('of a large batch that is given up', () => {
  test('by abort, what had not begun is answered without having been called', () => {
    const first = end(acting(), [0])
    const told = take(first, commands.abort)
    expect(newFacts(first, told)).toEqual(finished(10, 25))
    expect(sends(added(first, told)).map(([to]) => to)).toEqual(names(1, 10))
    expect(childrenOf(told.snapshot).map(({ id }) => id)).toEqual(names(1, 10))
    const walk = end(told, [...upTo(10)].slice(1))
    expect(walk.snapshot.output).toMatchObject({ reason: 'aborted_tools' })
    expect(results(walk)[0]?.is_error).toBe(false)
    expect(results(walk).slice(10)).toEqual([
      ...crowd.slice(10).map(([id, tool]) => errorResult(id, tool, interrupted)),
      errorResult('z', 'Bash', interrupted),
    ])
  })

  test('by abort between two waves, it ends at once', () => {
    const walk = take(end(acting(), upTo(10)), commands.abort)
    expect(walk.snapshot.output).toMatchObject({ reason: 'aborted_tools' })
    expect(results(walk)).toHaveLength(26)
    expect(childrenOf(walk.snapshot)).toEqual([])
  })

  test('for a call that broke off, the rest is cancelled, and the next batch is not', () => {
    const first = acting()
    const broke = ends(first, '4', errorOutcome('r4', 'Read', { broke: true }))
    expect(newFacts(first, broke)).toEqual(finished(10, 25))
    expect(sends(added(first, broke)).map(([to]) => to)).toEqual(names(0, 10).filter((id) => id !== '4'))
    expect(childrenOf(broke.snapshot).map(({ id }) => id)).not.toContain('breath')
    const over = end(
      broke,
      [...upTo(10)].filter((n) => n !== 4),
    )
    expect(at(over)).toBe('acting.between')
    const walk = ends(answer(over, 'intake', intakes.go), '25', outcome('z', 'Bash'))
    expect(results(walk).slice(10, 25)).toEqual(crowd.slice(10).map(([id, tool]) => errorResult(id, tool, cancelled)))
    expect(results(walk)[25]?.is_error).toBe(false)
  })

  test.each([
    ['broke off', { broke: true }, 'acting.between'],
    ['a person stopped', { stop: true }, 'done'],
  ])('for the last that had begun and %s, nothing more begins', (_, more, state) => {
    const walk = ends(end(acting(), upTo(9)), '9', errorOutcome('r9', 'Read', more))
    expect(at(walk)).toBe(state)
    expect(childrenOf(walk.snapshot).filter(({ src }) => src !== 'intake')).toEqual([])
  })

  test('for one whose actor crashed, as for one that broke off', () => {
    const first = end(acting(), upTo(9))
    const walk = take(first, errorEvent('9', 'no such state'))
    expect(at(walk)).toBe('acting.between')
    expect(newFacts(first, walk)).toEqual([...finished(9, 10), ...finished(10, 25)])
  })
})

test('an urgent letter finds every call of a large batch begun', () => {
  const first = acting()
  const rung = take(first, commands.interrupt)
  expect(begun(first, rung)).toEqual(names(10, 25))
  expect(sends(added(first, rung)).map(([to]) => to)).toEqual(names(0, 25))
  expect(childrenOf(rung.snapshot).map(({ id }) => id)).toEqual(names(0, 25))
})
