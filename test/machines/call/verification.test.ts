import { describe, expect, test } from 'vitest'
import { verificationMachine } from '../../../machines/call/verification.ts'
import type { CheckOutput, PermissionOutput, VerifyOutput } from '../../../src/protocol/port.ts'
import { factSchema } from '../../../src/protocol/facts/fact.ts'
import { verify } from '../support/agent-samples.ts'
import { explore, isFinal, restingStates } from '../support/explore.ts'
import { answer, begin, childrenOf, doneEvent, errorEvent, factsOf, reject } from '../support/walk.ts'

const asked = () => begin(verificationMachine, { plan: verify, turn: 3, after: 'end' })
const allowed: PermissionOutput = { decision: { behavior: 'allow', source: 'project', reason: 'a rule' }, stop: false }
const denied: PermissionOutput = {
  decision: { behavior: 'deny', source: 'nobody', reason: 'nobody is here' },
  stop: false,
}
const passes: CheckOutput = { passed: true, report: '', duration_ms: 7 }
const fails: CheckOutput = { passed: false, report: '[exit 1]', duration_ms: 7 }
const end = { type: 'verify.settled', call_id: 'verify-3', command: 'npm test', after: 'end' } as const

const endings: Record<string, [() => ReturnType<typeof asked>, VerifyOutput, object]> = {
  'a pass': [
    () => answer(answer(asked(), 'permission', allowed), 'check', passes),
    { verdict: 'passed' },
    { verdict: 'passed', duration_ms: 7 },
  ],
  'a failure, with what was printed': [
    () => answer(answer(asked(), 'permission', allowed), 'check', fails),
    { verdict: 'failed', report: '[exit 1]' },
    { verdict: 'failed', duration_ms: 7 },
  ],
  'no verdict, when it may not run': [
    () => answer(asked(), 'permission', denied),
    { verdict: 'none', stop: false },
    { verdict: 'not_run', duration_ms: 0, reason: 'nobody is here', why: 'denied' },
  ],
  'no verdict, when a person also says stop': [
    () => answer(asked(), 'permission', { ...denied, stop: true }),
    { verdict: 'none', stop: true },
    { verdict: 'not_run', duration_ms: 0, reason: 'nobody is here', why: 'denied' },
  ],
  'no verdict, when it cannot run': [
    () => reject(answer(asked(), 'permission', allowed), 'check', 'no sandbox'),
    { verdict: 'none', stop: false },
    { verdict: 'not_run', duration_ms: 0, reason: 'no sandbox', why: 'not_started' },
  ],
  'no verdict, when nobody can say whether it may': [
    () => reject(asked(), 'permission', 'disk full'),
    { verdict: 'none', stop: false },
    { verdict: 'not_run', duration_ms: 0, reason: 'disk full', why: 'denied' },
  ],
}

describe('a check of the work ends with', () => {
  test.each(Object.entries(endings))('%s', (_, [walk, output, fact]) => {
    const { snapshot, effects } = walk()
    expect(snapshot.output).toEqual(output)
    expect(factsOf(effects)).toEqual([
      { type: 'verify.started', call_id: 'verify-3', command: 'npm test' },
      { ...end, ...fact },
    ])
  })
})

describe('the command', () => {
  test('is asked for as a call of Bash, and runs with its time limit', () => {
    const before = asked()
    const running = answer(before, 'permission', allowed)
    const starts = [...before.effects, ...running.effects].flatMap((effect) =>
      effect.kind === 'start' ? [effect] : [],
    )
    const call = { id: 'verify-3', tool: 'Bash', input: { command: 'npm test' }, own: true }
    expect(starts[0]).toMatchObject({ src: 'permission', input: { call } })
    expect(starts.at(-1)).toMatchObject({ src: 'check', input: { call, timeout_ms: 60_000 } })
  })

  test('may be changed by the person who permits it', () => {
    const changed = { ...allowed, updated_input: { command: 'npm run test:fast' } }
    const walk = answer(answer(asked(), 'permission', changed), 'check', passes)
    expect(factsOf(walk.effects).at(-1)).toMatchObject({ command: 'npm run test:fast' })
  })
})

test('every path reaches an end, every state is reached, and the journal takes every fact', () => {
  const { dead, states, edges } = explore(verificationMachine, {
    input: { plan: verify, turn: 3, after: 'change' },
    events: (snapshot) =>
      childrenOf(snapshot).flatMap(({ id, src }) => [
        ...(src === 'permission' ? [allowed, denied] : [passes, fails]).map(
          (output, n) => [`${src} ${n}`, doneEvent(id, output)] as const,
        ),
        [`${src} breaks`, errorEvent(id, 'gone')] as const,
      ]),
    key: (snapshot) => JSON.stringify([snapshot.value, snapshot.context.output]),
    limit: 50,
  })
  expect(dead).toEqual([])
  expect(states).toEqual(restingStates(verificationMachine))
  const facts = edges.filter(isFinal).flatMap(({ effects }) => factsOf(effects))
  expect(facts.filter((fact) => !factSchema.safeParse(fact).success)).toEqual([])
})
