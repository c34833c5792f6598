import { describe, expect, test } from 'vitest'
import { toolCallMachine } from '../../../machines/call/tool-call.ts'
import type { CallDescription } from '../../../src/protocol/tools/tool.ts'
import type { Decision } from '../../../src/protocol/permissions/permission.ts'
import { description } from '../support/agent-samples.ts'
import { answer, begin, factsOf, stateName, take } from '../support/walk.ts'

const decision: Decision = { behavior: 'allow', source: 'mode', reason: 'reads' }
const ran = { output: { content: [{ type: 'text' as const, text: '1 line' }] }, duration_ms: 12 }

function opened(more: Partial<CallDescription> = {}, hooked = false) {
  return begin(toolCallMachine, { call: description('a', 'Read', { allowed: decision, ...more }), hooked })
}

describe('a call that was allowed as it was described', () => {
  test('states that and runs at once', () => {
    const walk = opened()
    expect(stateName(walk.snapshot)).toBe('running')
    expect(factsOf(walk.effects)).toEqual([
      { type: 'permission.decided', call_id: 'a', tool: 'Read', decision },
      { type: 'call.started', call_id: 'a', tool: 'Read' },
    ])
    expect(walk.effects.map((effect) => effect.kind)).toEqual(['fact', 'fact', 'start'])
    expect(answer(walk, 'run', ran).snapshot.output).toMatchObject({
      result: { is_error: false },
      stop: false,
      broke: false,
    })
  })

  test('still meets its hooks', () => {
    const walk = opened({}, true)
    expect(stateName(walk.snapshot)).toBe('pre_hooks')
    expect(factsOf(walk.effects)).toEqual([])
    expect(stateName(answer(walk, 'preHooks', { verdict: 'none' }).snapshot)).toBe('permitting')
  })

  test('is judged after its check, whatever was allowed before', () => {
    const walk = opened({ checked: true })
    expect(stateName(answer(walk, 'validate', { complaint: null }).snapshot)).toBe('permitting')
  })

  test('is given up like any other', () => {
    const walk = take(opened(), { type: 'abort', at: 1, reason: 'Interrupted by user' })
    expect(factsOf(walk.effects).map((fact) => fact.type)).toEqual([
      'permission.decided',
      'call.started',
      'call.finished',
    ])
  })
})
