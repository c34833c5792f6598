import { describe, expect, test } from 'vitest'
import { toolCallMachine } from '../../../machines/call/tool-call.ts'
import type { Decision } from '../../../src/protocol/permissions/permission.ts'
import type { GateOutput } from '../../../src/protocol/port.ts'
import type { CallDescription } from '../../../src/protocol/tools/tool.ts'
import { description } from '../support/agent-samples.ts'
import { added, answer, begin, factsOf, reject, stateName, take, type Walk } from '../support/walk.ts'

type CallWalk = Walk<typeof toolCallMachine>

const decision: Decision = { behavior: 'allow', source: 'mode', reason: 'reads' }
const output = { content: [{ type: 'text' as const, text: '1 line' }] }
const pauseEnds = { type: 'xstate.after.pause.toolCall.pausing' }

function gated(more: Partial<CallDescription> = {}, hooked = false): CallWalk {
  const call = description('b', 'Read', { allowed: decision, gated: true, ...more })
  return begin(toolCallMachine, { call, hooked })
}

function passed(gate: GateOutput): CallWalk {
  return answer(gated(), 'gate', gate)
}

/** A call that hooks and rules let pass. */
function heard(): CallWalk {
  return answer(answer(gated({}, true), 'preHooks', { verdict: 'none' }), 'permission', { decision, stop: false })
}

function typesOf(walk: CallWalk): readonly string[] {
  return factsOf(walk.effects).map(({ type }) => type)
}

describe('the gate of a call', () => {
  test('comes after permission and before the tool, also for a call that was allowed at once', () => {
    const walk = gated()
    expect([stateName(walk.snapshot), typesOf(walk)]).toEqual(['gating', ['permission.decided']])
    const unjudged = begin(toolCallMachine, { call: description('b', 'Read', { gated: true }), hooked: false })
    const asked = answer(unjudged, 'permission', { decision, stop: false })
    expect(stateName(asked.snapshot)).toBe('gating')
  })

  test('comes after hooks', () => {
    const walk = gated({}, true)
    expect(stateName(walk.snapshot)).toBe('pre_hooks')
    expect(stateName(heard().snapshot)).toBe('gating')
  })

  test('lets it run', () => {
    const walk = passed({ verdict: 'run' })
    expect([stateName(walk.snapshot), typesOf(walk)]).toEqual(['running', ['permission.decided', 'call.started']])
  })

  test('refuses it, and the tool never starts', () => {
    const walk = passed({ verdict: 'block', message: 'used up', limited: { limit: 2, then: 'block' } })
    expect(walk.snapshot.output).toMatchObject({
      result: { is_error: true, content: [{ text: 'Blocked: used up' }] },
      broke: false,
    })
    expect(typesOf(walk)).toEqual(['permission.decided', 'call.limited', 'call.finished'])
  })

  test('answers it with the result of an equal call, and the tool never starts', () => {
    const walk = passed({ verdict: 'answer', output, of: 'a' })
    expect(walk.snapshot.output).toMatchObject({ result: { call_id: 'b', is_error: false, content: output.content } })
    expect(factsOf(walk.effects).slice(1)).toEqual([
      { type: 'call.reused', call_id: 'b', tool: 'Read', of: 'a' },
      { type: 'call.finished', call_id: 'b', tool: 'Read', is_error: false, duration_ms: 0 },
    ])
  })

  test('shows such an answer to hooks', () => {
    const walk = answer(heard(), 'gate', { verdict: 'answer', output, of: 'a' })
    expect([stateName(walk.snapshot), walk.effects.at(-1)]).toMatchObject(['post_hooks', { input: { output } }])
  })

  test('lets it run and has the model told that it was one too many', () => {
    const limited = { limit: 2, then: 'steer', steer: 'enough' } as const
    const walk = answer(passed({ verdict: 'run', limited }), 'run', { output, duration_ms: 1 })
    expect(walk.snapshot.output).toMatchObject({ result: { is_error: false }, steer: 'enough' })
  })

  test('that cannot be asked keeps it closed', () => {
    const walk = reject(gated(), 'gate', 'lost')
    const { is_error, content } = walk.snapshot.output?.result ?? {}
    expect([is_error, content]).toEqual([true, [{ type: 'text', text: expect.stringContaining('lost') as string }]])
    expect(typesOf(walk)).toEqual(['permission.decided', 'call.finished'])
  })
})

describe('a hook before a call', () => {
  test('may answer in the place of the tool: no limit counts it, and hooks after it see it', () => {
    const walk = answer(gated({}, true), 'preHooks', { verdict: 'answer', output })
    expect([stateName(walk.snapshot), typesOf(walk)]).toEqual(['post_hooks', []])
    expect(answer(walk, 'postHooks', { note: null }).snapshot.output?.result.content).toEqual(output.content)
  })

  test('is not asked again about its own change', () => {
    const changed = answer(gated({}, true), 'preHooks', { verdict: 'none', updated_input: { file_path: 'c' } })
    const judged = answer(changed, 'validate', { complaint: null })
    expect(stateName(answer(judged, 'permission', { decision, stop: false }).snapshot)).toBe('gating')
  })
})

describe('hooks after a denial', () => {
  const denial = { decision: { behavior: 'deny', source: 'policy', reason: 'secret' }, stop: true } as const
  const begun = begin(toolCallMachine, { call: description('b', 'Read'), hooked: true })
  const denied = answer(answer(begun, 'preHooks', { verdict: 'none' }), 'permission', denial)

  test('hear of it and may add to it', () => {
    expect([stateName(denied.snapshot), denied.effects.at(-1)]).toMatchObject([
      'denied_hooks',
      { src: 'deniedHooks', input: { decision: denial.decision } },
    ])
    const walk = answer(denied, 'deniedHooks', { note: 'ask ann' })
    expect(walk.snapshot.output).toMatchObject({
      stop: true,
      result: { is_error: true, content: [{}, { text: 'ask ann' }] },
    })
  })

  test('cannot turn it around, fail as they may', () => {
    const quiet = answer(denied, 'deniedHooks', { note: null }).snapshot.output
    expect(quiet?.result.is_error).toBe(true)
    expect(reject(denied, 'deniedHooks', 'gone').snapshot.output).toEqual(quiet)
  })
})

describe('a failure that passes', () => {
  const failing = { output: { content: [{ type: 'text' as const, text: 'ECONNRESET' }], isError: true } }
  const once = answer(passed({ verdict: 'run' }), 'run', { ...failing, duration_ms: 3, again_ms: 500 })

  test('is waited out, and said', () => {
    expect(stateName(once.snapshot)).toBe('pausing')
    expect(factsOf(once.effects).at(-1)).toEqual({
      type: 'call.retried',
      call_id: 'b',
      tool: 'Read',
      attempt: 1,
      delay_ms: 500,
      reason: 'ECONNRESET',
    })
    expect(once.effects.at(-1)).toMatchObject({ kind: 'alarm', delay: 500 })
  })

  test('is followed by another attempt of the same start, and the times add up', () => {
    const second = take(once, pauseEnds)
    expect(second.effects.at(-1)).toMatchObject({ src: 'run', input: { attempt: 2 } })
    const walk = answer(second, 'run', { output, duration_ms: 4 })
    expect(typesOf(walk)).toEqual(['permission.decided', 'call.started', 'call.retried', 'call.finished'])
    expect(factsOf(added(second, walk))).toMatchObject([{ duration_ms: 7, is_error: false }])
  })

  test('is the answer when no attempt is left', () => {
    const walk = answer(take(once, pauseEnds), 'run', { ...failing, duration_ms: 1 })
    expect(walk.snapshot.output?.result).toMatchObject({ is_error: true, content: [{ text: 'ECONNRESET' }] })
  })
})

test('where a long result was put is said with the end of its call', () => {
  const stored = { sha256: 'f'.repeat(64), chars: 90_000 }
  const walk = answer(passed({ verdict: 'run' }), 'run', { output: { ...output, stored }, duration_ms: 1 })
  expect(factsOf(walk.effects).at(-1)).toMatchObject({ type: 'call.finished', stored })
  expect(walk.snapshot.output?.result).not.toHaveProperty('stored')
})
