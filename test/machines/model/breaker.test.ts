import { expect, test } from 'vitest'
import { initialTransition, transition } from 'xstate'
import { breakerMachine, type BreakerEvent } from '../../../machines/model/breaker.ts'

type Step = readonly [BreakerEvent['type'], number]

/** Where the breaker stands after these events, and what it said on the way. */
const after = (...steps: readonly Step[]) => {
  const said: string[] = []
  let [state] = initialTransition(breakerMachine, { provider: 'p' })
  for (const [type, at] of steps) {
    const [next, actions] = transition(breakerMachine, state, { type, at })
    for (const { type: kind, params } of actions) {
      if ((kind as string) === 'xstate.emit') said.push((params as { event: { type: string } }).event.type)
    }
    state = next
  }
  return { value: state.value, until: state.context.until, said }
}

const times = (count: number, type: BreakerEvent['type'], at = 0): readonly Step[] =>
  Array.from({ length: count }, () => [type, at] as const)
const open = times(5, 'failed', 100)

test('five failures in a row open it, for eight seconds', () => {
  expect(after(...times(4, 'failed')).value).toBe('closed')
  expect(after(...open)).toEqual({ value: 'open', until: 8_100, said: ['breaker.opened'] })
})

test('a success in between starts the count again', () => {
  expect(after(...times(4, 'failed'), ['succeeded', 1], ...times(4, 'failed')).value).toBe('closed')
})

test('who asks too early is not let through; the first after that is the probe', () => {
  expect(after(...open, ['asked', 8_099]).value).toBe('open')
  expect(after(...open, ['asked', 8_100]).value).toBe('probing')
})

test("the probe decides: closed again, open again, or the next one's turn", () => {
  const probing = [...open, ['asked', 8_100]] as const
  expect(after(...probing, ['succeeded', 10_200])).toMatchObject({
    value: 'closed',
    said: ['breaker.opened', 'breaker.closed'],
  })
  expect(after(...probing, ['failed', 10_200])).toEqual({
    value: 'open',
    until: 18_200,
    said: ['breaker.opened', 'breaker.opened'],
  })
  const given = after(...probing, ['given_up', 10_200])
  expect(given).toMatchObject({ value: 'open', said: ['breaker.opened'] })
  expect(after(...probing, ['given_up', 10_200], ['asked', 10_201]).value).toBe('probing')
})

test('a model that is given up has failed as often as it was asked', () => {
  const failuresAfter = (...types: readonly BreakerEvent['type'][]): number => {
    let [state] = initialTransition(breakerMachine, { provider: 'p' })
    for (const type of types) [state] = transition(breakerMachine, state, { type, at: 0 })
    return state.context.failures
  }
  expect(failuresAfter('failed', 'failed', 'failed', 'replaced')).toBe(3)
  expect(failuresAfter('replaced')).toBe(1)
  expect(failuresAfter(...open.map(([type]) => type))).toBe(5)
})

test('a model that another one answers for is left alone for a minute, then for longer and longer', () => {
  expect(after(['failed', 0], ['replaced', 100])).toEqual({ value: 'open', until: 60_100, said: ['breaker.opened'] })
  const again = [
    ['replaced', 0],
    ['asked', 60_000],
    ['failed', 60_000],
  ] as const
  expect(after(...again)).toMatchObject({ value: 'open', until: 180_000 })
  const many = Array.from({ length: 9 }, (_, n): readonly Step[] => [
    ['asked', n * 1e9],
    ['failed', n * 1e9],
  ]).flat()
  expect(after(['replaced', 0], ...many).until).toBe(8e9 + 600_000)
  expect(after(...again, ['asked', 180_000], ['succeeded', 180_001], ['replaced', 180_002]).until).toBe(240_002)
})

test.for(['closed', 'open', 'probing'] as const)('%s wants every event', (value) => {
  const ways = { closed: [], open, probing: [...open, ['asked', 8_100] as const] }
  for (const type of ['asked', 'failed', 'succeeded', 'given_up', 'replaced'] as const) {
    let [state] = initialTransition(breakerMachine, { provider: 'p' })
    for (const [kind, at] of ways[value]) [state] = transition(breakerMachine, state, { type: kind, at })
    expect(state.value).toBe(value)
    expect(breakerMachine.getTransitionData(state, { type, at: 200 })).not.toEqual([])
  }
})
