import { describe, expect, test } from 'vitest'
import { agentMachine } from '../../../machines/agent/agent.ts'
import { failure } from '../../../src/protocol/conversation/failure.ts'
import { wokenInput, answers, calling, commands, intakes, outcome, prompt } from '../support/agent-samples.ts'
import { asked, at, ends, goAsk, newFacts, oneTurn, parkedLead, said, started, starts } from '../support/agent-walk.ts'
import { freshTracker } from '../../../src/rules/conversation/token-budget.ts'
import { added, answer, begin, factsOf, reject, take } from '../support/walk.ts'

const steer = commands.steer.message
const followUp = commands.follow_up.message

describe('opening', () => {
  test('states the start and the prompt, then reads the inbox', () => {
    const walk = started()
    expect(factsOf(walk.effects)).toEqual([{ type: 'agent.started' }, { type: 'message.appended', message: prompt }])
    expect(starts(walk.effects)).toEqual([['intake', { turn: 1, parkable: false }]])
    expect(walk.effects.map((effect) => effect.kind)).toEqual(['fact', 'fact', 'start'])
  })

  test('needs no prompt when mail woke it', () => {
    const walk = begin(agentMachine, wokenInput)
    expect(factsOf(walk.effects)).toEqual([{ type: 'agent.started' }])
    expect(starts(walk.effects)).toEqual([['intake', { turn: 1, parkable: true }]])
    expect(at(answer(walk, 'intake', intakes.hold))).toBe('thinking.parked.waiting')
  })

  test('asks with its turn, after saying so', () => {
    const before = started()
    const walk = goAsk(before)
    expect(newFacts(before, walk)).toEqual([{ type: 'model.requested', turn: 1, model: 'scripted/a' }])
    expect(starts(added(before, walk))).toEqual([['ask', { turn: 1, model: 'scripted/a' }]])
  })
})

describe('a fresh state', () => {
  test('knows of nothing yet', () => {
    expect(started().snapshot.context.state).toEqual({
      turn: 1,
      model: 'scripted/a',
      recoveries: 0,
      shrunk: 'no',
      fitted: false,
      risen: false,
      clumsy: 0,
      refutals: 0,
      next: { reason: 'next_turn', messages: [], counts: false, parks: false },
      end: { reason: 'completed' },
      message: null,
      calls: [],
      batches: [],
      batch: 0,
      running: 0,
      results: {},
      received: false,
      skips: false,
      hints: [],
      stopped: null,
      marks: [],
      used: {},
      reminded: false,
      tokens: 0,
      tracker: freshTracker,
      verified: false,
      windingDown: 'no',
      steers: [],
      followUps: [],
      rung: null,
      parkable: false,
    })
  })

  test('counts the turn when the loop goes round', () => {
    expect(oneTurn(asked()).snapshot.context.state).toMatchObject({ turn: 2 })
  })
})

describe('the inbox', () => {
  test('ends an agent that has nothing to answer', () => {
    const walk = answer(started(), 'intake', intakes.nothing)
    expect(walk.snapshot.output).toEqual({ reason: 'completed', turn: 1 })
    expect(factsOf(walk.effects).at(-1)).toEqual({ type: 'agent.ended', turn: 1, reason: 'completed' })
  })

  test('with nothing to answer, goes on with what waits for the end', () => {
    const walk = answer(take(started(), commands.follow_up), 'intake', intakes.nothing)
    expect(at(walk)).toBe('thinking.taking_in')
    expect(factsOf(walk.effects).slice(-2)).toEqual([
      { type: 'turn.continued', turn: 2, reason: 'steered' },
      { type: 'message.appended', message: followUp },
    ])
    expect(walk.snapshot.context.state.followUps).toEqual([])
  })

  test.each([
    ['wake', 'hold', 'thinking.taking_in'],
    ['wake', 'go', 'thinking.asking'],
    ['interrupt', 'hold', 'thinking.taking_in'],
    ['interrupt', 'go', 'thinking.taking_in'],
  ] as const)('that was rung (%s) while it said %s leads to %s', (command, intake, place) => {
    const walk = answer(take(started(), commands[command]), 'intake', intakes[intake])
    expect(at(walk)).toBe(place)
    expect(walk.snapshot.context.state.rung).toBe(place === 'thinking.asking' ? 'normal' : null)
  })

  test('keeps an urgent bell though a normal one follows', () => {
    const walk = take(take(started(), commands.interrupt), commands.wake)
    expect(walk.snapshot.context.state.rung).toBe('interrupt')
  })

  test.each(['hold', 'nothing'] as const)('a steer speaks though the intake says %s', (intake) => {
    const before = take(started(), commands.steer)
    const walk = answer(before, 'intake', intakes[intake])
    expect(newFacts(before, walk)).toEqual([
      { type: 'message.appended', message: steer },
      { type: 'model.requested', turn: 1, model: 'scripted/a' },
    ])
    expect(walk.snapshot.context.state.steers).toEqual([])
  })

  test('that cannot be read ends the agent as failed', () => {
    const walk = reject(started(), 'intake', 'disk full')
    expect(walk.snapshot.output).toEqual({
      reason: 'failed',
      turn: 1,
      failure: failure('crashed', 'intake: disk full'),
    })
  })
})

describe('parking', () => {
  test('a lead that only delegated may wait', () => {
    const before = said(asked(), answers.delegates)
    const walk = parkedLead()
    expect(starts(added(before, walk))).toEqual([['intake', { turn: 2, parkable: true }]])
    expect(factsOf(walk.effects).at(-1)).toEqual({ type: 'agent.parked', turn: 2 })
  })

  test('is not offered when another tool was called too, nor after a steer', () => {
    const first = ends(said(asked(), calling(['d', 'Delegate'], ['a', 'Read'])), '0', outcome('d', 'Delegate'))
    const mixed = ends(take(answer(first, 'intake', intakes.go), commands.wake), '1', outcome('a', 'Read'))
    expect(starts(mixed.effects).at(-1)).toEqual(['intake', { turn: 2, parkable: false }])
    const spoken = ends(take(said(asked(), answers.delegates), commands.steer), '0', outcome('d', 'Delegate'))
    expect(starts(spoken.effects).at(-1)).toEqual(['intake', { turn: 2, parkable: false }])
    const words = take(parkedLead(), commands.steer)
    expect(starts(words.effects).at(-1)).toEqual(['intake', { turn: 2, parkable: false }])
  })

  test('goes on waiting in silence while the intake holds, and with reason mail when it does not', () => {
    const looking = take(parkedLead(), commands.wake)
    expect(starts(looking.effects).at(-1)).toEqual(['intake', { turn: 2, parkable: true }])
    const still = answer(looking, 'intake', intakes.hold)
    expect(at(still)).toBe('thinking.parked.waiting')
    expect(newFacts(looking, still)).toEqual([])
    const on = answer(looking, 'intake', intakes.mail)
    expect(newFacts(looking, on)).toEqual([{ type: 'turn.continued', turn: 2, reason: 'mail' }])
    expect(starts(on.effects).at(-1)).toEqual(['intake', { turn: 2, parkable: false }])
  })

  test('looks again when a bell rang while it looked', () => {
    const walk = answer(take(take(parkedLead(), commands.wake), commands.wake), 'intake', intakes.hold)
    expect(at(walk)).toBe('thinking.parked.looking')
    expect(walk.snapshot.context.state.rung).toBeNull()
    expect(at(answer(walk, 'intake', intakes.hold))).toBe('thinking.parked.waiting')
  })

  test('fails as a whole when the inbox cannot be read', () => {
    const walk = reject(take(parkedLead(), commands.wake), 'intake', 'disk full')
    expect(walk.snapshot.output).toMatchObject({ reason: 'failed', failure: { message: 'intake: disk full' } })
  })
})
