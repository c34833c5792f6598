import { describe, expect, test } from 'vitest'
import { failure } from '../../../src/protocol/conversation/failure.ts'
import {
  errorResult,
  skippedResult,
  textOf,
  type Message,
  type ToolResult,
} from '../../../src/protocol/conversation/message.ts'
import {
  answers,
  assistant,
  calling,
  commands,
  description,
  errorOutcome,
  intakes,
  outcome,
  settled,
  use,
} from '../support/agent-samples.ts'
import {
  asked,
  at,
  ends,
  goAsk,
  newFacts,
  oneTurn,
  said,
  sends,
  started,
  starts,
  type AgentWalk,
} from '../support/agent-walk.ts'
import { added, answer, errorEvent, factsOf, reject, take, type Effect } from '../support/walk.ts'

const a = outcome('a', 'Read')
const b = outcome('b', 'Grep')
const c = outcome('c', 'Bash')

/** The messages that an agent stated. */
function told(walk: AgentWalk): readonly Message[] {
  return factsOf(walk.effects).flatMap((fact) => (fact.type === 'message.appended' ? [fact.message] : []))
}

/** Three calls: `a` and `b` side by side, then `c`. */
function acting(): AgentWalk {
  return said(asked(), answers.calls)
}

function between(): AgentWalk {
  return ends(ends(acting(), '0', a), '1', b)
}

function results(walk: AgentWalk): readonly ToolResult[] | undefined {
  const messages = factsOf(walk.effects).flatMap((fact) => (fact.type === 'message.appended' ? [fact.message] : []))
  return messages.findLast((message) => message.role === 'tool')?.results
}

function kinds(effects: readonly Effect[]): readonly string[] {
  return effects.map((effect) => (effect.kind === 'fact' ? effect.fact.type : effect.kind))
}

function unrun(id: string, tool: string) {
  return { type: 'call.finished', call_id: id, tool, is_error: true, duration_ms: 0 }
}

describe('calls', () => {
  test('start as children of their own, batch by batch, after their message stands', () => {
    const before = asked()
    const walk = acting()
    expect(kinds(added(before, walk))).toEqual(['stop', 'message.appended', 'model.settled', 'start', 'start'])
    expect(added(before, walk).slice(-2)).toEqual([
      {
        kind: 'start',
        src: 'toolCall',
        id: '0',
        input: { call: description('a', 'Read', { safe: true }), hooked: false },
      },
      {
        kind: 'start',
        src: 'toolCall',
        id: '1',
        input: { call: description('b', 'Grep', { safe: true }), hooked: false },
      },
    ])
  })

  test('know whether there are hooks', () => {
    const walk = said(asked({ hooked: true }), answers.call)
    expect(starts(walk.effects).at(-1)).toEqual([
      'toolCall',
      { call: description('a', 'Read', { safe: true }), hooked: true },
    ])
  })

  test('are answered in their own order, whatever order they end in', () => {
    const before = acting()
    const read = answer(ends(ends(before, '1', b), '0', a), 'intake', intakes.go)
    expect(starts(added(before, read)).map(([src]) => src)).toEqual(['intake', 'toolCall'])
    const walk = ends(read, '2', c)
    expect(newFacts(before, walk)).toEqual([
      { type: 'message.appended', message: { role: 'tool', results: [a.result, b.result, c.result] } },
      { type: 'turn.continued', turn: 2, reason: 'next_turn' },
      { type: 'model.requested', turn: 2, model: 'scripted/a' },
    ])
    expect(kinds(added(read, walk))).toEqual(['stop', 'message.appended', 'turn.continued', 'model.requested', 'start'])
  })

  test('are let go one by one, as they end', () => {
    const before = acting()
    const half = ends(before, '1', b)
    expect(added(before, half)).toEqual([{ kind: 'stop', id: '1' }])
    expect(added(half, ends(half, '0', a)).slice(0, 1)).toEqual([{ kind: 'stop', id: '0' }])
  })

  test('with the same id are two calls', () => {
    const walk = said(asked(), calling(['a', 'Read'], ['a', 'Read']))
    const done = ends(ends(walk, '1', outcome('a', 'Read', { stop: false })), '0', errorOutcome('a', 'Read'))
    expect(results(done)?.map((result) => result.is_error)).toEqual([true, false])
  })

  test('that nobody described never run', () => {
    const message = assistant({ content: [use('a', 'Read', { file_path: 'x' }), use('b', 'Grep')] })
    const walk = said(asked(), settled(message, [description('b', 'Grep')]))
    const unknown = {
      refusal: 'This call cannot run: nothing is known about it.',
      safe: false,
      readOnly: false,
      interrupt: 'block',
      checked: false,
    }
    expect(walk.snapshot.context.state.calls).toEqual([
      { id: 'a', tool: 'Read', input: { file_path: 'x' }, ...unknown },
      { id: 'b', tool: 'Grep', input: {}, ...unknown },
    ])
  })

  test('of two messages do not mix', () => {
    const second = said(goAsk(oneTurn(asked())), answers.calls)
    expect(second.snapshot.context.state).toMatchObject({ batch: 0, results: {}, received: false, stopped: null })
  })
})

describe('between two batches', () => {
  test('the inbox is read, and mail names the next turn', () => {
    const before = between()
    expect(starts(before.effects).at(-1)).toEqual(['intake', { turn: 1, parkable: false }])
    const walk = ends(answer(before, 'intake', intakes.mail), '2', c)
    expect(newFacts(before, walk).at(-2)).toEqual({ type: 'turn.continued', turn: 2, reason: 'mail' })
  })

  test('mail is remembered over more than one', () => {
    const three = said(asked(), calling(['a', 'Bash'], ['b', 'Bash'], ['c', 'Bash']))
    const first = answer(ends(three, '0', a), 'intake', intakes.mail)
    const walk = ends(answer(ends(first, '1', b), 'intake', intakes.go), '2', c)
    expect(factsOf(walk.effects).at(-2)).toEqual({ type: 'turn.continued', turn: 2, reason: 'mail' })
  })

  test('a bell is answered by reading', () => {
    const rung = ends(ends(take(acting(), commands.wake), '0', a), '1', b)
    expect(rung.snapshot.context.state.rung).toBeNull()
  })

  test('an inbox that cannot be read answers the rest and fails the agent', () => {
    const before = between()
    const walk = reject(before, 'intake', 'disk full')
    expect(newFacts(before, walk)).toEqual([
      unrun('c', 'Bash'),
      {
        type: 'message.appended',
        message: {
          role: 'tool',
          results: [a.result, b.result, errorResult('c', 'Bash', 'Not run: the inbox could not be read.')],
        },
      },
      { type: 'agent.ended', turn: 1, reason: 'failed', failure: failure('crashed', 'intake: disk full') },
    ])
  })

  test('a steer is said right after the results', () => {
    const before = take(between(), commands.steer)
    const walk = answer(before, 'intake', intakes.go)
    expect(newFacts(before, walk).slice(-3, -1)).toEqual([
      { type: 'turn.continued', turn: 2, reason: 'steered' },
      { type: 'message.appended', message: commands.steer.message },
    ])
    const both = answer(before, 'intake', intakes.mail)
    expect(newFacts(before, both).at(-3)).toEqual({ type: 'turn.continued', turn: 2, reason: 'mail' })
  })
})

describe('a new message', () => {
  const skipped = { ...unrun('c', 'Bash'), skipped: true }

  test.each([
    ['a steer', commands.steer, 'steered'],
    ['an interrupt', commands.interrupt, 'next_turn'],
  ] as const)('lets no further batch begin (%s)', (_, command, reason) => {
    const before = take(acting(), command)
    const walk = ends(ends(before, '0', a), '1', b)
    expect(newFacts(before, walk).slice(0, 3)).toEqual([
      skipped,
      {
        type: 'message.appended',
        message: { role: 'tool', results: [a.result, b.result, skippedResult('c', 'Bash')] },
      },
      { type: 'turn.continued', turn: 2, reason },
    ])
    expect(at(walk)).toBe(reason === 'steered' ? 'thinking.asking' : 'thinking.taking_in')
  })

  test.each([
    ['a steer', commands.steer],
    ['an interrupt', commands.interrupt],
  ] as const)('that comes between two batches skips the next one (%s)', (_, command) => {
    const before = take(between(), command)
    expect(newFacts(before, answer(before, 'intake', intakes.go))[0]).toEqual(skipped)
  })

  test('that the inbox holds and that does not wait skips the next batch, though its bell was not heard', () => {
    const walk = answer(between(), 'intake', { ...intakes.mail, urgent: true })
    expect(results(walk)?.at(2)).toEqual(skippedResult('c', 'Bash'))
    expect(factsOf(walk.effects).at(-2)).toEqual({ type: 'turn.continued', turn: 2, reason: 'mail' })
  })

  test('is forgotten with the answer that it came into', () => {
    const next = said(goAsk(ends(ends(take(acting(), commands.interrupt), '0', a), '1', b)), answers.calls)
    expect(at(ends(ends(next, '0', a), '1', b))).toBe('acting.between')
  })

  test('yields to an abort', () => {
    const told = take(take(acting(), commands.steer), commands.abort)
    const walk = ends(ends(told, '0', a), '1', b)
    expect(results(walk)?.at(2)).toEqual(errorResult('c', 'Bash', 'Interrupted by user'))
  })
})

describe('a failing call', () => {
  test('that answered with an error leaves the others alone', () => {
    const before = acting()
    expect(sends(added(before, ends(before, '0', errorOutcome('a', 'Read'))))).toEqual([])
  })

  test('that broke off cancels the calls beside it, and only those', () => {
    const before = acting()
    const broke = ends(before, '1', errorOutcome('b', 'Grep', { broke: true }))
    expect(sends(added(before, broke))).toEqual([['0', { type: 'abort', reason: 'Cancelled: a parallel call failed' }]])
    const cancelled = ends(broke, '0', errorOutcome('a', 'Read'))
    expect(at(cancelled)).toBe('acting.between')
    const walk = ends(answer(cancelled, 'intake', intakes.go), '2', c)
    expect(factsOf(walk.effects).at(-2)).toEqual({ type: 'turn.continued', turn: 2, reason: 'next_turn' })
  })

  test('whose actor crashed is answered and finished by the agent', () => {
    const before = acting()
    const walk = take(before, errorEvent('0', 'no such state'))
    expect(newFacts(before, walk)).toEqual([unrun('a', 'Read')])
    expect(sends(added(before, walk)).map(([to]) => to)).toEqual(['1'])
    const { results: kept, stopped } = walk.snapshot.context.state
    expect(stopped).toBeNull()
    expect(kept[0]).toEqual(errorResult('a', 'Read', 'The call crashed: no such state'))
  })
})

describe('a stop', () => {
  test('by a person at one call gives up the others and ends the agent', () => {
    const before = acting()
    const told = ends(before, '0', errorOutcome('a', 'Read', { stop: true }))
    expect(sends(added(before, told))).toEqual([['1', { type: 'abort', reason: 'Interrupted by user' }]])
    const walk = ends(told, '1', errorOutcome('b', 'Grep'))
    expect(newFacts(told, walk)[0]).toEqual(unrun('c', 'Bash'))
    expect(results(walk)?.at(2)).toEqual(errorResult('c', 'Bash', 'Interrupted by user'))
    expect(walk.snapshot.output).toEqual({ reason: 'aborted_tools', turn: 1 })
  })

  test('by abort waits for the calls that run, and answers those that never did', () => {
    const before = acting()
    const told = take(before, commands.abort)
    expect(sends(added(before, told))).toEqual([
      ['0', { type: 'abort', at: 1, reason: 'Interrupted by user' }],
      ['1', { type: 'abort', at: 1, reason: 'Interrupted by user' }],
    ])
    const half = ends(told, '0', a)
    expect(at(half)).toBe('acting.running')
    const walk = ends(half, '1', errorOutcome('b', 'Grep'))
    expect(results(walk)).toEqual([
      a.result,
      errorOutcome('b', 'Grep').result,
      errorResult('c', 'Bash', 'Interrupted by user'),
    ])
    expect(walk.snapshot.output).toMatchObject({ reason: 'aborted_tools' })
  })

  test('keeps the reason that came with it, and the first of two', () => {
    const one = take(acting(), { type: 'abort', at: 1, reason: 'Shutting down' })
    expect(sends(one.effects).at(-1)).toEqual(['1', { type: 'abort', at: 1, reason: 'Shutting down' }])
    const two = ends(ends(take(one, commands.abort), '0', errorOutcome('a', 'Read', { stop: true })), '1', b)
    expect(results(two)?.at(2)).toEqual(errorResult('c', 'Bash', 'Shutting down'))
    const late = take(between(), { type: 'abort', at: 1, reason: 'Shutting down' })
    expect(results(late)?.at(2)).toEqual(errorResult('c', 'Bash', 'Shutting down'))
  })

  test('reaches only the calls that still run', () => {
    const before = ends(acting(), '0', a)
    expect(sends(added(before, take(before, commands.abort))).map(([to]) => to)).toEqual(['1'])
    expect(sends(added(before, take(before, commands.interrupt)))).toEqual([['1', { type: 'interrupt', at: 1 }]])
  })
})

describe('the turns', () => {
  test('are limited', () => {
    const walk = oneTurn(asked({ limits: { max_turns: 1 } }))
    expect(walk.snapshot.output).toEqual({ reason: 'max_turns', turn: 1 })
    const more = oneTurn(asked({ limits: { max_turns: 2 } }))
    expect(at(more)).toBe('thinking.asking')
    expect(oneTurn(goAsk(more)).snapshot.output).toMatchObject({ reason: 'max_turns', turn: 2 })
  })

  test('that go in circles end the agent at the fifth', () => {
    let walk = started({ limits: { max_turns: 40 } })
    for (let turn = 0; turn < 4; turn += 1) walk = oneTurn(goAsk(walk))
    expect(at(walk)).toBe('thinking.asking')
    expect(oneTurn(goAsk(walk)).snapshot.output).toMatchObject({ reason: 'loop_detected', turn: 5 })
  })

  test('that go in circles are told so, with what was seen, before that', () => {
    let walk = started({ limits: { max_turns: 40 } })
    for (let turn = 0; turn < 3; turn += 1) walk = oneTurn(goAsk(walk))
    const results = told(walk).filter(({ role }) => role === 'tool')
    expect(results.map((message) => JSON.stringify(message).includes('No progress: this was done 3 times'))).toEqual([
      false,
      false,
      true,
    ])
  })

  test('that run out are told of, a few answers before and before the last', () => {
    let walk = started({ limits: { max_turns: 20, stuck: { window: 10, repeats: 99 } } })
    for (let turn = 0; turn < 20; turn += 1) walk = oneTurn(goAsk(walk))
    const words = told(walk).flatMap((message) => (message.role === 'user' ? [textOf(message)] : []))
    expect(words.filter((text) => /answer/i.test(text))).toEqual([
      expect.stringMatching(/^5 of 20 answers are left/),
      expect.stringMatching(/^Answer 20 of 20 is next/),
    ])
    expect(walk.snapshot.output).toMatchObject({ reason: 'max_turns', turn: 20 })
  })

  test('that ask for something else do not, though they learn the same', () => {
    let walk = started({ limits: { max_turns: 40 } })
    for (let turn = 0; turn < 6; turn += 1) {
      const message = assistant({ content: [use('a', 'Read', { file_path: `${turn}.ts` })] })
      const call = description('a', 'Read', { input: { file_path: `${turn}.ts` } })
      walk = ends(said(goAsk(walk), settled(message, [call])), '0', a)
    }
    expect(at(walk)).toBe('thinking.asking')
  })

  test('that learn something new do not', () => {
    let walk = started({ limits: { max_turns: 40 } })
    for (let turn = 0; turn < 12; turn += 1) {
      const learned = outcome('a', 'Read')
      const text = { type: 'text' as const, text: `line ${turn}` }
      walk = ends(said(goAsk(walk), answers.call), '0', {
        ...learned,
        result: { ...learned.result, content: [text] },
      })
    }
    expect(at(walk)).toBe('thinking.asking')
    expect(walk.snapshot.context.state.marks.at(-1)?.signature).toContain('line 11')
  })
})
