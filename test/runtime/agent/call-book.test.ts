import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../../src/adapters/tools/define/define-tool.ts'
import type { CallDescription, ToolReuse } from '../../../src/protocol/tools/tool.ts'
import { openCallBook, type CallBounds } from '../../../src/runtime/agent/call-book.ts'

function tool(name: string, reuse: ToolReuse = 'never') {
  return defineTool({ name, description: 'Does it.', input: z.unknown(), reuse, run: async () => ({ content: [] }) })
}

const tools = new Map(
  [tool('Look', 'until_write'), tool('List', 'turn'), tool('Change')].map((each) => [each.name, each]),
)

function call(id: string, name: string, more: Partial<CallDescription> = {}) {
  const description: CallDescription = {
    id,
    tool: name,
    input: { n: 1 },
    refusal: null,
    safe: true,
    readOnly: name !== 'Change',
    interrupt: 'block',
    checked: false,
    ...more,
  }
  return { call: description, tool: tools.get(name) ?? tool(name) }
}

const fine = (stamp?: string) => ({ content: [], ...(stamp === undefined ? {} : { stamp }) })
const book = (bounds: Partial<CallBounds> = {}, heard = true) =>
  openCallBook({ limits: {}, earlier: new Map(), ...bounds }, () => heard)
const stamped = (stamp: string | null) => () => Promise.resolve(stamp)

describe('what has to pass the gate', () => {
  test('is a limited tool, and a call like one before it', () => {
    const known = book({ limits: { Change: { calls: 1, then: 'block' } } })
    const marked = known.turn([call('a', 'Look').call, call('b', 'Look').call, call('c', 'Change').call], tools)
    expect(marked.map(({ gated }) => gated ?? false)).toEqual([false, true, true])
    known.started(call('a', 'Look'))(fine('v1'))
    const later = known.turn([call('d', 'Look').call, call('e', 'Look', { input: { n: 2 } }).call], tools)
    expect(later.map(({ gated }) => gated ?? false)).toEqual([true, false])
  })
})

describe('counts', () => {
  test('go on from an earlier life, and take in what was answered but not what was refused', async () => {
    const known = book({ earlier: new Map([['Look', 3]]), limits: { Change: { calls: 1, then: 'block' } } })
    known.turn([], tools)
    known.started(call('a', 'Look'))(fine('v1'))
    await known.admit(call('b', 'Look'), stamped('v1'))
    const verdicts = [
      await known.admit(call('c', 'Change'), stamped(null)),
      await known.admit(call('d', 'Change'), stamped(null)),
    ]
    known.started(call('c', 'Change'))(fine())
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['run', 'block'])
    expect(known.counts()).toEqual({ Look: 5, Change: 1 })
  })
})

describe('a call of a tool that was not looked up', () => {
  const deferred = { gated: true, deferred: { why: 'Look it up first.', denied: false } }

  test('is turned back, and counted as little as one over its limit', () => {
    const known = book({ limits: { Change: { calls: 1, then: 'block' } }, earlier: new Map([['Change', 1]]) })
    const [look, change] = [call('a', 'Look', deferred).call, call('b', 'Change', deferred).call]
    expect(known.turn([look, change], new Map())).toEqual([look, change])
    expect(known.turnBack(look)).toEqual({ verdict: 'block', message: 'Look it up first.', why: 'deferred' })
    expect(known.turnBack(change)).toMatchObject({ verdict: 'block', limited: { limit: 1, then: 'block' } })
    expect(known.counts()).toEqual({ Change: 1 })
  })

  test('is told to look it up when its limit only steers', () => {
    const known = book({ limits: { Look: { calls: 0, then: 'steer' } } })
    expect(known.turnBack(call('a', 'Look', deferred).call)).toMatchObject({ why: 'deferred' })
  })
})

describe('an equal call', () => {
  test('waits for the one that runs', async () => {
    const known = book()
    known.turn([], tools)
    const settle = known.started(call('a', 'List'))
    const gate = known.admit(call('b', 'List'), stamped(null))
    settle(fine())
    expect(await gate).toMatchObject({ verdict: 'answer', of: 'a' })
  })

  test.each([
    ['the first one failed', { output: null, turns: 0, stamp: 'v1', heard: true }, 'run'],
    ['a turn later, with the same stamp', { output: fine('v1'), turns: 1, stamp: 'v1', heard: true }, 'answer'],
    ['a turn later, with another stamp', { output: fine('v1'), turns: 1, stamp: 'v2', heard: true }, 'run'],
    ['a turn later, without a stamp', { output: fine(), turns: 1, stamp: 'v1', heard: true }, 'run'],
    ['when the model no longer sees the result', { output: fine('v1'), turns: 1, stamp: 'v1', heard: false }, 'run'],
  ] as const)('%s', async (_, { output, turns, stamp, heard }, verdict) => {
    const known = book({}, heard)
    known.turn([], tools)
    known.started(call('a', 'Look'))(output)
    for (let n = 0; n < turns; n += 1) known.turn([], tools)
    expect((await known.admit(call('b', 'Look'), stamped(stamp))).verdict).toBe(verdict)
  })

  test('runs after anything was changed, also while it waited', async () => {
    const known = book()
    known.turn([], tools)
    const settle = known.started(call('a', 'Look'))
    const gate = known.admit(call('b', 'Look'), stamped('v1'))
    known.started(call('c', 'Change'))(fine())
    settle(fine('v1'))
    expect((await gate).verdict).toBe('run')
  })
})
