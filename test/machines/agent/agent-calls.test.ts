import { fc, test as prop } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { toolBatches } from '../../../machines/agent/agent-calls.ts'
import { noUsage, textOf, userMessage } from '../../../src/protocol/conversation/message.ts'
import { takeoverText } from '../../../src/rules/conversation/escalation.ts'
import { answers, assistant, escalate, intakes, outcome, settled, use, verify } from '../support/agent-samples.ts'
import {
  asked,
  started,
  at,
  ends,
  goAsk,
  newFacts,
  oneTurn,
  said,
  starts,
  type AgentWalk,
} from '../support/agent-walk.ts'
import { answer, factsOf } from '../support/walk.ts'

const calls = (pattern: string) => pattern.split('').map((letter) => ({ safe: letter === 's' }))

describe('toolBatches', () => {
  test.each([
    ['', []],
    ['s', [[0]]],
    ['u', [[0]]],
    ['ss', [[0, 1]]],
    ['uu', [[0], [1]]],
    ['ssuss', [[0, 1], [2], [3, 4]]],
    ['us', [[0], [1]]],
  ])('%s', (pattern, batches) => {
    expect(toolBatches(calls(pattern))).toEqual(batches)
  })

  test('ten safe calls run together, the eleventh waits', () => {
    expect(toolBatches(calls('s'.repeat(11))).map((batch) => batch.length)).toEqual([10, 1])
  })

  test('the cap can be set', () => {
    expect(toolBatches(calls('sss'), 2)).toEqual([[0, 1], [2]])
  })

  prop.prop([fc.array(fc.boolean(), { maxLength: 60 }), fc.integer({ min: 1, max: 12 })])(
    'keeps order, respects the cap, never mixes an unsafe call and never splits without need',
    (safety, cap) => {
      const batches = toolBatches(
        safety.map((safe) => ({ safe })),
        cap,
      )
      expect(batches.flat()).toEqual(safety.map((_, i) => i))
      for (const [i, batch] of batches.entries()) {
        expect(batch.length).toBeLessThanOrEqual(cap)
        const alone = batch.length === 1
        expect(alone || batch.every((index) => safety[index] === true)).toBe(true)
        const next = batches[i + 1]
        const mergeable = next !== undefined && [...batch, ...next].every((index) => safety[index] === true)
        expect(mergeable && batch.length < cap).toBe(false)
      }
    },
  )
})

const rising = (more: Parameters<typeof asked>[0] = {}) => asked({ escalate, limits: { max_turns: 20 }, ...more })
const types = (before: AgentWalk, after: AgentWalk) => newFacts(before, after).map(({ type }) => type)
const model = (walk: AgentWalk) => walk.snapshot.context.state.model
const clumsily = (walk: AgentWalk) => ends(said(walk, answers.clumsy), '0', outcome('a', 'Raed'))

describe('an answer that asks for a stronger model', () => {
  test('is paid for and forgotten, and the same turn is asked of the stronger one', () => {
    const before = rising()
    const walk = said(before, answers.beyond)
    expect(newFacts(before, walk)).toEqual([
      expect.objectContaining({ type: 'model.settled', turn: 1, cost_usd: 0.5 }),
      {
        type: 'model.escalated',
        turn: 1,
        from: 'scripted/a',
        to: 'scripted/c',
        trigger: 'marker',
        reason: 'It needs a "proof".',
      },
      { type: 'turn.continued', turn: 1, reason: 'escalated' },
      {
        type: 'message.appended',
        message: userMessage(takeoverText('marker', 'It needs a "proof".'), 'runtime'),
      },
    ])
    const again = goAsk(walk)
    expect(factsOf(again.effects).at(-1)).toEqual({ type: 'model.requested', turn: 1, model: 'scripted/c' })
    expect(starts(again.effects).at(-1)).toEqual(['ask', { turn: 1, model: 'scripted/c', instead: 'scripted/a' }])
  })

  test('runs none of its calls', () => {
    const content = [{ type: 'text', text: 'STRONGER MODEL NEEDED: hard' } as const, use('a', 'Write')]
    const walk = said(rising(), settled(assistant({ content, stop: 'tools' })))
    expect(starts(walk.effects).map(([src]) => src)).not.toContain('toolCall')
    expect(at(walk)).toBe('thinking.taking_in')
  })

  test('is an answer like any other where there is no stronger one, the second time, and at the end of a budget', () => {
    expect(at(said(asked(), answers.beyond))).toBe('thinking.closing')
    expect(at(said(goAsk(said(rising(), answers.beyond)), answers.beyond))).toBe('thinking.closing')
    const last = goAsk(said(rising(), answers.lastTurn))
    expect(at(said(last, answers.beyond))).toBe('thinking.closing')
  })

  test('counts no turn, and its tokens count', () => {
    const usage = { ...noUsage, output: 7 }
    const beyond = settled(assistant({ content: [{ type: 'text', text: 'STRONGER MODEL NEEDED:' }], usage }))
    const walk = said(rising({ limits: { max_turns: 1 } }), beyond)
    expect(walk.snapshot.context.state).toMatchObject({ turn: 1, tokens: 7 })
    expect(at(answer(said(goAsk(walk), answers.text), 'intake', intakes.go))).toBe('done')
  })
})

describe('work that looks hard', () => {
  const eager = { escalate: { ...escalate, on_hard: true } }
  const begun = (input: object, more: object = {}) =>
    answer(started(input), 'intake', { ...intakes.go, hard: true, ...more })

  test('begins with the stronger model where that is wanted, and nobody is told to take over', () => {
    const walk = begun(eager)
    expect(newFacts(started(eager), walk)).toEqual([
      { type: 'model.escalated', turn: 1, from: 'scripted/a', to: 'scripted/c', trigger: 'task' },
      { type: 'model.requested', turn: 1, model: 'scripted/c' },
    ])
  })

  test('does not where it is not wanted, or came to it already', () => {
    expect(model(begun({ escalate }))).toBe('scripted/a')
    expect(model(begun({}))).toBe('scripted/a')
    expect(types(started(eager), begun({ ...eager, escalated: 'scripted/c' }))).not.toContain('model.escalated')
  })
})

describe('calls that cannot be made as they are written', () => {
  test('bring the stronger model in after so many turns in a row', () => {
    const once = clumsily(rising())
    expect(model(once)).toBe('scripted/a')
    const before = goAsk(once)
    const twice = clumsily(before)
    expect(newFacts(before, twice).slice(-5)).toEqual([
      expect.objectContaining({ type: 'message.appended' }),
      { type: 'model.escalated', turn: 2, from: 'scripted/a', to: 'scripted/c', trigger: 'errors' },
      { type: 'turn.continued', turn: 3, reason: 'escalated' },
      { type: 'message.appended', message: userMessage(takeoverText('errors', ''), 'runtime') },
      { type: 'model.requested', turn: 3, model: 'scripted/c' },
    ])
  })

  test('count from anew after a turn without', () => {
    const walk = clumsily(goAsk(oneTurn(goAsk(clumsily(rising())))))
    expect(model(walk)).toBe('scripted/a')
  })
})

describe('an agent that goes in circles', () => {
  const circling = (walk: AgentWalk, turns: number): AgentWalk =>
    Array.from({ length: turns }).reduce<AgentWalk>((before, _, n) => oneTurn(n === 0 ? before : goAsk(before)), walk)

  test('is taken over from once, and ended the second time', () => {
    const before = goAsk(circling(rising(), 4))
    const walk = oneTurn(before)
    expect(types(before, walk)).toContain('model.escalated')
    expect(model(walk)).toBe('scripted/c')
    expect(circling(goAsk(walk), 5).snapshot.output).toMatchObject({ reason: 'loop_detected' })
  })

  test('is ended at once where that is wanted', () => {
    const walk = circling(rising({ escalate: { ...escalate, on_loop: false } }), 5)
    expect(walk.snapshot.output).toMatchObject({ reason: 'loop_detected' })
  })
})

test('a stronger model that is given up is not turned to again', () => {
  const risen = goAsk(said(rising(), answers.beyond))
  const back = goAsk(said(risen, { kind: 'fallback', model: 'scripted/a', tombstones: [] }))
  expect(model(back)).toBe('scripted/a')
  expect(at(said(back, answers.beyond))).toBe('thinking.closing')
})

test('what does not pass its check is told beside the take-over', () => {
  const clumsyChange = settled(assistant({ content: [use('a', 'Write')], stop: 'tools' }), [
    { ...(answers.change.kind === 'settled' ? answers.change.calls[0] : undefined), refusedFor: 'shape' } as never,
  ])
  const walk = ends(
    said(rising({ escalate: { ...escalate, after_errors: 1 }, verify }), clumsyChange),
    '0',
    outcome('a', 'Write'),
  )
  const done = answer(walk, 'verify', { verdict: 'failed', report: 'red' })
  const told = newFacts(walk, done).flatMap((fact) =>
    fact.type === 'message.appended' ? [textOf(fact.message as never)] : [],
  )
  expect(told).toHaveLength(2)
  expect(newFacts(walk, done)).toContainEqual({ type: 'turn.continued', turn: 2, reason: 'escalated' })
})
