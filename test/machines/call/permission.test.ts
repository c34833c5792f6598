import { describe, expect, test } from 'vitest'
import { permissionMachine } from '../../../machines/call/permission.ts'
import type { Answer, Decision } from '../../../src/protocol/permissions/permission.ts'
import { description } from '../support/agent-samples.ts'
import { explore, isFinal, restingStates } from '../support/explore.ts'
import {
  added,
  answer,
  begin,
  childrenOf,
  doneEvent,
  errorEvent,
  factsOf,
  reject,
  stateName,
  type Walk,
} from '../support/walk.ts'

const call = description('a', 'Bash', { input: { command: 'git push' } })
const allow: Decision = { behavior: 'allow', source: 'project', rule: 'Bash(git:*)', reason: 'a rule allows it' }
const deny: Decision = { behavior: 'deny', source: 'policy', rule: 'Bash(git push:*)', reason: 'a rule denies it' }
const ask: Decision = { behavior: 'ask', source: 'mode', reason: 'it edits', path: '/src/a.ts' }
const yes: Answer = { behavior: 'allow', source: 'human', reason: 'allowed by a person' }

type PermissionWalk = Walk<typeof permissionMachine>

function judged(decision: Decision): PermissionWalk {
  return answer(begin(permissionMachine, { call }), 'judge', decision)
}

function decided(decision: Decision, how: object = {}) {
  return [{ type: 'permission.decided', call_id: 'a', tool: 'Bash', decision, ...how }]
}

describe('a permission', () => {
  test('asks the cascade first', () => {
    const walk = begin(permissionMachine, { call })
    expect(stateName(walk.snapshot)).toBe('judging')
    expect(walk.effects).toEqual([{ kind: 'start', src: 'judge', id: '0.permission.judging', input: { call } }])
  })

  test('is no as long as nothing was decided', () => {
    expect(begin(permissionMachine, { call }).snapshot.context.verdict).toEqual({
      decision: { behavior: 'deny', source: 'bounds', reason: 'Nothing was decided.' },
      stop: false,
    })
  })

  test.each([allow, deny])('is what the cascade says ($behavior)', (decision) => {
    const walk = judged(decision)
    expect(walk.snapshot.output).toEqual({ decision, stop: false })
    expect(factsOf(walk.effects)).toEqual(decided(decision))
  })

  test('asks somebody when the cascade asks, and decides nothing yet', () => {
    const walk = judged(ask)
    expect(stateName(walk.snapshot)).toBe('asking')
    expect(walk.effects.at(-1)).toEqual({
      kind: 'start',
      src: 'answer',
      id: '0.permission.asking',
      input: { call, decision: ask },
    })
    expect(factsOf(walk.effects)).toEqual([])
  })

  test('is what they answer, and names the path it turned on', () => {
    const walk = answer(judged(ask), 'answer', yes)
    const decision = { behavior: 'allow', source: 'human', reason: 'allowed by a person', path: '/src/a.ts' } as const
    expect(walk.snapshot.output).toEqual({ decision, stop: false })
    expect(factsOf(walk.effects)).toEqual(decided(decision, { asked: ask }))
  })

  test('says what made it a question, which request it was, who answered and which rule denied a changed input', () => {
    const denied = { behavior: 'deny', source: 'project', rule: 'Bash(rm:*)', reason: 'the changed input' } as const
    const walk = answer(judged(ask), 'answer', { ...denied, request: 'lead-3-1', by: 'a terminal' })
    const decision = { ...denied, path: '/src/a.ts' }
    expect(walk.snapshot.output).toEqual({ decision, stop: false })
    expect(factsOf(walk.effects)).toEqual(decided(decision, { asked: ask, request: 'lead-3-1', by: 'a terminal' }))
  })

  test('names no path when it turned on none', () => {
    const pathless: Decision = { behavior: 'ask', source: 'mode', reason: 'it runs a command' }
    expect(answer(judged(pathless), 'answer', yes).snapshot.output?.decision).toStrictEqual({
      behavior: 'allow',
      source: 'human',
      reason: 'allowed by a person',
    })
  })

  test('carries the input that a person changed', () => {
    const walk = answer(judged(ask), 'answer', { ...yes, updated_input: { command: 'git status' } })
    expect(walk.snapshot.output?.updated_input).toEqual({ command: 'git status' })
    expect(answer(judged(ask), 'answer', yes).snapshot.output).not.toHaveProperty('updated_input')
  })

  test.each([
    ['stop', true],
    ['once', false],
    ['session', false],
  ] as const)('with scope %s ends the run: %s', (scope, stop) => {
    const walk = answer(judged(ask), 'answer', { ...yes, behavior: 'deny', scope })
    expect(walk.snapshot.output).toMatchObject({ stop, decision: { behavior: 'deny' } })
  })

  test('is refused when the cascade fails', () => {
    const walk = reject(begin(permissionMachine, { call }), 'judge', 'bad rule file')
    const decision = {
      behavior: 'deny',
      source: 'bounds',
      reason: 'The permission check failed: bad rule file',
    } as const
    expect(walk.snapshot.output).toEqual({ decision, stop: false })
    expect(factsOf(walk.effects)).toEqual(decided(decision))
  })

  test('is refused when nobody can be asked', () => {
    const walk = reject(judged(ask), 'answer', 'no terminal')
    const decision = { behavior: 'deny', source: 'nobody', reason: 'Nobody could be asked: no terminal' } as const
    expect(walk.snapshot.output).toEqual({ decision, stop: false })
    expect(factsOf(walk.effects)).toEqual(decided(decision, { asked: ask }))
    expect(added(judged(ask), walk).map((effect) => effect.kind)).toEqual(['stop', 'fact'])
  })
})

describe('every path of a permission', () => {
  const outputs: Record<string, readonly unknown[]> = {
    judge: [allow, deny, ask],
    answer: [yes, { ...yes, behavior: 'deny' }, { ...yes, behavior: 'deny', scope: 'stop' }],
  }
  const { states, edges, dead } = explore(permissionMachine, {
    input: { call },
    events: (snapshot) =>
      childrenOf(snapshot).flatMap(({ id, src }) => [
        ...(outputs[src] ?? []).map((output, index) => [`${src} ${index}`, doneEvent(id, output)] as const),
        [`${src} rejects`, errorEvent(id, 'gone')],
      ]),
    key: (snapshot) => JSON.stringify([snapshot.value, snapshot.output]),
    limit: 20,
  })

  test('reaches every state and can end', () => {
    expect(states).toEqual(restingStates(permissionMachine))
    expect(dead).toEqual([])
  })

  test('decides exactly once, at its end, and never asks again', () => {
    for (const walk of edges) {
      expect(factsOf(walk.effects)).toHaveLength(isFinal(walk) ? 1 : 0)
      expect(walk.snapshot.output?.decision.behavior).not.toBe('ask')
    }
  })
})
