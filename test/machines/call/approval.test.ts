import { describe, expect, test } from 'vitest'
import { longestDelay } from '../../../machines/actors/alarm.ts'
import { approvalMachine } from '../../../machines/call/approval.ts'
import type { Answer, Decision } from '../../../src/protocol/permissions/permission.ts'
import type { RegisterOutput, RequestPlan } from '../../../src/protocol/port.ts'
import { description } from '../support/agent-samples.ts'
import { explore, isFinal, restingStates } from '../support/explore.ts'
import {
  answer,
  begin,
  childrenOf,
  doneEvent,
  errorEvent,
  factsOf,
  reject,
  stateName,
  take,
  type Walk,
} from '../support/walk.ts'

const call = description('a', 'Bash', { input: { command: 'git push' } })
const decision: Decision = { behavior: 'ask', source: 'mode', reason: 'it runs a command' }
const yes: Answer = { behavior: 'allow', source: 'human', reason: 'fine', scope: 'once' }
const no: Answer = { behavior: 'deny', source: 'classifier', reason: 'it pushes' }
const plans = {
  alone: { order: 'sequence', hooked: false, classifies: false },
  sequence: { order: 'sequence', hooked: true, classifies: true },
  hooks: { order: 'sequence', hooked: true, classifies: false },
  classifier: { order: 'sequence', hooked: false, classifies: true },
  race: { order: 'race', hooked: true, classifies: true },
} as const satisfies Record<string, RequestPlan>
const kept: RegisterOutput = { request: 'ana-3-1', deadline: 900, wait_ms: 400 }
const local: RegisterOutput = { request: null, deadline: null, wait_ms: null }

type RequestWalk = Walk<typeof approvalMachine>
const planned = (plan: RequestPlan): RequestWalk => answer(begin(approvalMachine, { call, decision }), 'plan', plan)
const waiting = (registered = kept): RequestWalk => answer(planned(plans.alone), 'register', registered)
const racing = (): RequestWalk => answer(planned(plans.race), 'register', kept)
const startsOf = ({ effects }: RequestWalk) =>
  effects.flatMap((effect) => (effect.kind === 'start' ? [effect.src] : []))

describe('who is consulted', () => {
  test('only a person, when there is nobody else', () => {
    const walk = answer(waiting(), 'wait', yes)
    expect(startsOf(walk)).toEqual(['plan', 'register', 'wait'])
    expect(walk.snapshot.output).toEqual(yes)
  })

  test('in sequence: hooks, then the classifier, then a person', () => {
    const hooked = answer(planned(plans.sequence), 'consultHooks', null)
    const classified = answer(hooked, 'classify', null)
    const walk = answer(answer(classified, 'register', kept), 'wait', yes)
    expect(startsOf(walk)).toEqual(['plan', 'consultHooks', 'classify', 'register', 'wait'])
  })

  test.each([
    ['consultHooks', plans.hooks],
    ['classify', plans.classifier],
  ] as const)('an opinion of %s ends the sequence, and nobody is asked', (port, plan) => {
    const walk = answer(planned(plan), port, no)
    expect(walk.snapshot.output).toEqual(no)
    expect(factsOf(walk.effects)).toEqual([])
  })

  test.each([
    ['consultHooks', plans.hooks],
    ['classify', plans.classifier],
  ] as const)('a failure of %s is no opinion', (port, plan) => {
    expect(stateName(reject(planned(plan), port, 'gone').snapshot)).toBe('registering')
    expect(stateName(reject(planned(plans.sequence), 'consultHooks', 'gone').snapshot)).toBe('classifying')
  })

  test('in a race all at once, but the question stands first', () => {
    expect(startsOf(racing())).toEqual(['plan', 'register', 'wait', 'consultHooks', 'classify'])
  })
})

describe('a race', () => {
  test('goes on while somebody has no opinion or fails', () => {
    const walk = reject(answer(racing(), 'consultHooks', null), 'classify', 'gone')
    expect(stateName(walk.snapshot)).toBe('racing')
    expect(answer(walk, 'wait', yes).snapshot.output).toEqual(yes)
  })

  test('an opinion is claimed beside the question; whoever answered there first wins', () => {
    const claiming = answer(racing(), 'classify', no)
    expect(claiming.effects.at(-1)).toMatchObject({ src: 'claim', input: { request: 'ana-3-1', answer: no } })
    expect(answer(claiming, 'claim', no).snapshot.output).toEqual(no)
    expect(answer(claiming, 'claim', yes).snapshot.output).toEqual(yes)
  })
})

describe('a question that stands', () => {
  test('is said once, with its files and its deadline, after it was registered', () => {
    const said = { call_id: 'a', tool: 'Bash', request: 'ana-3-1', decision, deadline: 900 }
    expect(factsOf(waiting().effects)).toEqual([{ type: 'permission.requested', ...said }])
    expect(factsOf(planned(plans.alone).effects)).toEqual([])
    expect(factsOf(waiting(local).effects)).toEqual([])
  })

  test('is over at its deadline, unless somebody has just answered', () => {
    expect(waiting().effects).toContainEqual({ kind: 'alarm', event: { type: 'expired' }, delay: 400 })
    const late = take(waiting(), { type: 'expired' })
    expect(late.effects.at(-1)).toMatchObject({
      src: 'claim',
      input: { answer: { behavior: 'deny', by: 'the deadline' } },
    })
    expect(answer(late, 'claim', yes).snapshot.output).toEqual(yes)
  })

  test('never goes off at once because its deadline is far away', () => {
    const far = waiting({ ...kept, wait_ms: longestDelay * 3 })
    expect(far.effects).toContainEqual({ kind: 'alarm', event: { type: 'expired' }, delay: longestDelay })
    expect(waiting(local).effects.filter(({ kind }) => kind === 'alarm')).toEqual([])
  })

  test('that cannot be registered or waited for is nobody’s answer', () => {
    expect(reject(planned(plans.alone), 'register', 'the disk is full').snapshot.status).toBe('error')
    expect(reject(waiting(), 'wait', 'stopped').snapshot.status).toBe('error')
  })
})

describe('an answer', () => {
  const changed = { ...yes, updated_input: { command: 'git push --dry-run' } }
  const judging = answer(waiting(), 'wait', changed)

  test('with a changed input is judged again, as the call would run', () => {
    expect(judging.effects.at(-1)).toMatchObject({
      src: 'judgeAgain',
      input: { call: { id: 'a', input: { command: 'git push --dry-run' }, amended: true } },
    })
  })

  test.each([
    ['allow', 'allow'],
    ['ask', 'allow'],
    ['deny', 'deny'],
  ] as const)('with a changed input that the rules %s is: %s', (behavior, so) => {
    const walk = answer(judging, 'judgeAgain', { behavior, source: 'project', rule: 'Bash(git:*)', reason: 'a rule' })
    expect(walk.snapshot.output).toMatchObject({ behavior: so })
    expect(walk.snapshot.output?.rule).toBe(so === 'deny' ? 'Bash(git:*)' : undefined)
  })

  test.each(['session', 'save'] as const)('for more than once (%s) is remembered, of the call as it runs', (scope) => {
    const walk = answer(answer(waiting(), 'wait', { ...changed, scope }), 'judgeAgain', {
      ...decision,
      behavior: 'ask',
    })
    expect(walk.effects.at(-1)).toMatchObject({ src: 'remember', input: { call: { input: changed.updated_input } } })
    expect(answer(walk, 'remember').snapshot.output).toMatchObject({ behavior: 'allow', scope })
    expect(reject(walk, 'remember', 'read-only disk').snapshot.output).toMatchObject({ behavior: 'allow' })
  })

  test.each(['once', 'stop'] as const)('that denies (%s) changes and remembers nothing', (scope) => {
    const walk = answer(waiting(), 'wait', { ...changed, behavior: 'deny', scope })
    expect(startsOf(walk)).toEqual(['plan', 'register', 'wait'])
  })
})

describe('every path of a request', () => {
  const outputs: Record<string, readonly unknown[]> = {
    plan: Object.values(plans),
    consultHooks: [null, no],
    classify: [null, no],
    register: [kept, local],
    wait: [yes, { ...yes, scope: 'save', updated_input: {} }, { ...yes, behavior: 'deny' }],
    claim: [yes],
    judgeAgain: [decision, { ...decision, behavior: 'deny' }],
    remember: [undefined],
  }
  const { states, edges, dead } = explore(approvalMachine, {
    input: { call, decision },
    // A machine that broke hears nothing more.
    events: (snapshot) =>
      snapshot.status === 'error'
        ? []
        : [
            ...childrenOf(snapshot).flatMap(({ id, src }) => [
              ...(outputs[src] ?? []).map((output, index) => [`${src} ${index}`, doneEvent(id, output)] as const),
              [`${src} rejects`, errorEvent(id, 'gone')] as const,
            ]),
            ['expired', { type: 'expired' }] as const,
          ],
    key: ({ value, status, output, context }) =>
      JSON.stringify([value, status, output, context.plan, context.registered, context.answer]),
    limit: 600,
  })

  test('reaches every state', () => {
    expect(states).toEqual(restingStates(approvalMachine))
  })

  test('ends with an answer or with an error, and states at most one question', () => {
    for (const walk of edges) expect(factsOf(walk.effects).length).toBeLessThanOrEqual(1)
    const ends = edges.filter(isFinal).map(({ snapshot }) => snapshot.output?.behavior)
    expect(new Set(ends)).toEqual(new Set(['allow', 'deny']))
    expect(dead.every((place) => place.includes('"error"'))).toBe(true)
  })
})
