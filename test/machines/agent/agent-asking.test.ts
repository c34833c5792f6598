import { describe, expect, test } from 'vitest'
import { failure } from '../../../src/protocol/conversation/failure.ts'
import { noUsage, userMessage } from '../../../src/protocol/conversation/message.ts'
import { answers, assistant, commands, failed, settled, use } from '../support/agent-samples.ts'
import { asked, at, everything, goAsk, newFacts, oneTurn, said, starts } from '../support/agent-walk.ts'
import { added, answer, factsOf, reject, take } from '../support/walk.ts'

const answerFact = {
  type: 'model.settled',
  turn: 1,
  model: 'scripted/a',
  stop: 'end',
  usage: noUsage,
  cost_usd: 0.5,
  duration_ms: 7,
}

describe('an answer', () => {
  test('enters the conversation, then is accounted for', () => {
    const before = asked()
    const walk = said(before, answers.text)
    expect(newFacts(before, walk)).toStrictEqual([{ type: 'message.appended', message: assistant() }, answerFact])
    expect(at(walk)).toBe('thinking.closing')
  })

  test('of another model is accounted to that model', () => {
    const before = asked()
    const walk = said(before, settled(assistant({ model: 'scripted/z' })))
    expect(newFacts(before, walk)[1]).toMatchObject({ type: 'model.settled', model: 'scripted/z' })
  })

  test('that failed does not enter, ends the agent and names the failure', () => {
    const before = asked()
    const walk = said(before, answers.broken)
    const what = failure('server_error', 'it was server_error')
    expect(newFacts(before, walk)).toEqual([
      { ...answerFact, stop: 'error', failure: what },
      { type: 'agent.ended', turn: 1, reason: 'failed', failure: what },
    ])
    expect(walk.snapshot.output).toEqual({ reason: 'failed', turn: 1, failure: what })
  })

  test('that failed in its text, too, does not enter', () => {
    const half = assistant({ failure: failure('stream_broken', 'cut') })
    const before = asked()
    expect(newFacts(before, said(before, settled(half))).map((fact) => fact.type)).toEqual([
      'model.settled',
      'agent.ended',
    ])
  })

  test('with an error and no failure is named as a crash', () => {
    const walk = said(asked(), settled(assistant({ stop: 'error' })))
    expect(walk.snapshot.output).toMatchObject({
      reason: 'failed',
      failure: failure('crashed', 'The model ended in an error without saying which.'),
    })
  })

  test('without budget ends as such', () => {
    const walk = said(asked(), answers.unpaid)
    expect(walk.snapshot.output).toMatchObject({ reason: 'budget_exhausted', failure: { code: 'budget_exhausted' } })
  })

  test.each([
    ['by its stop', answers.aborted],
    ['by its failure', failed('aborted')],
  ])('that was aborted %s leaves no call behind', (_, aborted) => {
    const before = asked(everything)
    const walk = said(before, aborted)
    expect(newFacts(before, walk).map((fact) => fact.type)).toEqual(['model.settled', 'agent.ended'])
    expect(walk.snapshot.output).toEqual({ reason: 'aborted_streaming', turn: 1 })
  })

  test('is followed by its calls whatever its stop says', () => {
    for (const stop of ['end', 'max_tokens', 'refusal', 'pause'] as const) {
      const message = assistant({ stop, content: [use('a', 'Read')] })
      expect(at(said(asked(everything), settled(message)))).toBe('acting.running')
    }
  })

  test('that never comes ends the agent', () => {
    const walk = reject(asked(), 'ask', 'bug')
    expect(walk.snapshot.output).toMatchObject({ reason: 'failed', failure: failure('crashed', 'ask: bug') })
  })
})

describe('a failure is told to stopFailure', () => {
  test('and only when hooks exist', () => {
    const telling = said(asked(everything), answers.broken)
    expect(starts(telling.effects).at(-1)).toEqual([
      'stopFailure',
      { failure: failure('server_error', 'it was server_error') },
    ])
    const walk = answer(telling, 'stopFailure')
    expect(walk.snapshot.output).toMatchObject({ reason: 'failed', failure: { code: 'server_error' } })
    expect(at(said(asked(), answers.broken))).toBe('done')
  })

  test('whose own failure is reported before the end', () => {
    const telling = said(asked(everything), answers.broken)
    const walk = reject(telling, 'stopFailure', 'hook gone')
    expect(newFacts(telling, walk).map((fact) => fact.type)).toEqual(['warning.raised', 'agent.ended'])
    expect(newFacts(telling, walk)[0]).toEqual({
      type: 'warning.raised',
      code: 'stop_failure_failed',
      message: 'hook gone',
    })
  })
})

describe('a context that is too long', () => {
  test('is shrunk once, and the same turn is asked again', () => {
    const shrinking = said(asked(), answers.overlong)
    expect(starts(shrinking.effects).at(-1)).toEqual(['compact', { trigger: 'reactive' }])
    const walk = answer(shrinking, 'compact', { compacted: true })
    expect(newFacts(shrinking, walk)).toEqual([{ type: 'turn.continued', turn: 1, reason: 'reactive_compact_retry' }])
    const again = said(goAsk(walk), answers.overlong)
    expect(again.snapshot.output).toMatchObject({ reason: 'prompt_too_long', turn: 1 })
    expect(again.snapshot.output).toMatchObject({ failure: { code: 'context_exceeded' } })
  })

  test('is not shrunk again after a stop hook has sent the agent back', () => {
    const input = { hooked: true }
    const shrunk = answer(said(asked(input), answers.overlong), 'compact', { compacted: true })
    const blocked = answer(said(goAsk(shrunk), answers.text), 'stopHooks', { verdict: 'block', messages: ['No.'] })
    expect(at(said(goAsk(blocked), answers.overlong))).toBe('thinking.telling')
  })

  test('is shrunk again only when an answer was accepted and results have come since', () => {
    const shrunk = goAsk(answer(said(asked(), answers.overlong), 'compact', { compacted: true }))
    const worked = goAsk(oneTurn(shrunk))
    expect(at(said(worked, answers.overlong))).toBe('thinking.shrinking')
    const twice = goAsk(answer(said(worked, answers.overlong), 'compact', { compacted: true }))
    expect(said(twice, answers.overlong).snapshot.output).toMatchObject({ reason: 'prompt_too_long' })
  })

  test('is fitted before the model is asked, and then asked however long it is', () => {
    const before = asked()
    const fitting = said(before, { kind: 'crowded' })
    expect(starts(fitting.effects).at(-1)).toEqual(['compact', { trigger: 'auto' }])
    const walk = answer(fitting, 'compact', { compacted: true })
    expect(newFacts(before, walk)).toEqual([{ type: 'turn.continued', turn: 1, reason: 'auto_compact' }])
    const again = goAsk(walk)
    expect(starts(again.effects).at(-1)).toEqual(['ask', { turn: 1, model: 'scripted/a', fitted: true }])
    expect(starts(oneTurn(again).effects).at(-1)).toEqual(['ask', { turn: 2, model: 'scripted/a' }])
  })

  test('is asked all the same when fitting fails, which is reported', () => {
    const fitting = said(asked(), { kind: 'crowded' })
    const walk = reject(fitting, 'compact', 'no model')
    expect(newFacts(fitting, walk)).toEqual([
      { type: 'warning.raised', code: 'compaction_failed', message: 'no model' },
      { type: 'turn.continued', turn: 1, reason: 'auto_compact' },
    ])
  })

  test('ends the agent when shrinking does not help', () => {
    const shrinking = said(asked(), answers.overlong)
    expect(answer(shrinking, 'compact', { compacted: false }).snapshot.output).toMatchObject({
      reason: 'prompt_too_long',
    })
    const walk = reject(shrinking, 'compact', 'no model')
    expect(newFacts(shrinking, walk)[0]).toEqual({
      type: 'warning.raised',
      code: 'compaction_failed',
      message: 'no model',
    })
    expect(walk.snapshot.output).toMatchObject({ reason: 'prompt_too_long' })
  })

  test('is no reason to shrink for other failures', () => {
    expect(said(asked(), failed('output_exceeded')).snapshot.output).toMatchObject({ reason: 'failed' })
  })
})

describe('an answer that was cut short', () => {
  const carryOn = userMessage('Continue from where you stopped.', 'runtime')

  test.each(['cut', 'paused'] as const)('(%s) goes on in the same turn, at most three times in a row', (kind) => {
    const before = asked()
    let walk = said(before, answers[kind])
    expect(newFacts(before, walk).slice(2)).toEqual([
      { type: 'turn.continued', turn: 1, reason: 'max_output_tokens_recovery' },
      ...(kind === 'paused' ? [] : [{ type: 'message.appended', message: carryOn }]),
    ])
    walk = said(goAsk(said(goAsk(walk), answers[kind])), answers[kind])
    expect(at(walk)).toBe('thinking.taking_in')
    expect(said(goAsk(walk), answers[kind]).snapshot.output).toMatchObject({ reason: 'cut' })
  })

  test('may go on three times again after another turn', () => {
    const walk = oneTurn(goAsk(said(asked(), answers.cut)))
    expect(walk.snapshot.context.state.recoveries).toBe(0)
  })

  test('has its count kept by a stop hook and by another model', () => {
    const cut = said(asked(everything), answers.cut)
    const text = said(goAsk(cut), answers.text)
    const blocked = answer(text, 'stopHooks', { verdict: 'block', messages: [] })
    expect(blocked.snapshot.context.state.recoveries).toBe(1)
    expect(said(goAsk(cut), answers.fallback).snapshot.context.state.recoveries).toBe(1)
  })
})

describe('another model', () => {
  test('takes over after a fallback, without the orphans', () => {
    const before = asked()
    const walk = said(before, answers.fallback)
    expect(newFacts(before, walk)).toEqual([
      { type: 'message.tombstoned', target: 'historian-7' },
      { type: 'turn.continued', turn: 1, reason: 'model_fallback' },
    ])
    expect(factsOf(goAsk(walk).effects).at(-1)).toEqual({ type: 'model.requested', turn: 1, model: 'scripted/b' })
  })
})

describe('an interrupt while the model answers', () => {
  test('gives the request up, reads the inbox, and asks again in the same turn', () => {
    const before = asked({ limits: { max_turns: 1 } })
    const walk = take(before, commands.interrupt)
    expect(newFacts(before, walk)).toEqual([{ type: 'turn.continued', turn: 1, reason: 'mail' }])
    expect(added(before, walk).map((effect) => effect.kind)).toEqual(['stop', 'fact', 'start'])
    expect(at(goAsk(walk))).toBe('thinking.asking')
  })
})

describe('the last answer that the budget leaves', () => {
  test('is asked for in words that stand in the conversation', () => {
    const walk = said(asked(), answers.lastMoney)
    expect(factsOf(walk.effects).slice(-2)).toMatchObject([
      { type: 'turn.continued', turn: 1, reason: 'wind_down' },
      { type: 'message.appended', message: { role: 'user', origin: 'runtime' } },
    ])
    expect(starts(added(walk, goAsk(walk)))).toContainEqual(['ask', { turn: 1, model: 'scripted/a', last: true }])
  })

  test('ends the agent whatever it says, and runs no tool any more', () => {
    const told = goAsk(said(asked(), answers.lastMoney))
    expect(said(told, answers.text).snapshot.output).toMatchObject({ reason: 'budget_exhausted' })
    const late = said(told, answers.call)
    expect(late.snapshot.output).toMatchObject({ reason: 'budget_exhausted' })
    expect(newFacts(told, late).map((fact) => fact.type)).toEqual([
      'message.appended',
      'model.settled',
      'call.finished',
      'message.appended',
      'agent.ended',
    ])
  })

  test('of a turn may turn out to be enough', () => {
    const told = goAsk(said(asked(), answers.lastTurn))
    expect(at(said(told, answers.text))).toBe('thinking.closing')
    expect(at(said(told, answers.call))).toBe('acting.running')
  })
})
