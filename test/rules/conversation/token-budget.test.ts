import { describe, expect, test } from 'vitest'
import { checkTokenBudget, freshTracker } from '../../../src/rules/conversation/token-budget.ts'

const budget = 10_000

describe('checkTokenBudget', () => {
  test('goes on below nine tenths and remembers what was added', () => {
    expect(checkTokenBudget(freshTracker, { budget, total: 2_000 })).toEqual({
      verdict: 'continue',
      diminishing: false,
      tracker: { continuations: 1, lastDelta: 2_000, lastTotal: 2_000 },
    })
    expect(
      checkTokenBudget({ continuations: 1, lastDelta: 2_000, lastTotal: 2_000 }, { budget, total: 2_300 }),
    ).toEqual({
      verdict: 'continue',
      diminishing: false,
      tracker: { continuations: 2, lastDelta: 300, lastTotal: 2_300 },
    })
  })

  test.each([
    [8_999, 'continue'],
    [9_000, 'stop'],
    [20_000, 'stop'],
  ])('at %i of 10,000 tokens: %s', (total, verdict) => {
    const found = checkTokenBudget(freshTracker, { budget, total })
    expect(found.verdict).toBe(verdict)
    expect(found.diminishing).toBe(false)
    expect(found.tracker === freshTracker).toBe(verdict === 'stop')
  })

  test.each([
    [{ continuations: 3, lastDelta: 499, lastTotal: 1_000 }, 1_499, true],
    [{ continuations: 2, lastDelta: 499, lastTotal: 1_000 }, 1_499, false],
    [{ continuations: 3, lastDelta: 500, lastTotal: 1_000 }, 1_499, false],
    [{ continuations: 3, lastDelta: 499, lastTotal: 1_000 }, 1_500, false],
    [{ continuations: 9, lastDelta: 0, lastTotal: 1_000 }, 1_000, true],
  ])('after %j, now %i: diminishing %s', (tracker, total, diminishing) => {
    const found = checkTokenBudget(tracker, { budget, total })
    expect(found.diminishing).toBe(diminishing)
    expect(found.verdict).toBe(diminishing ? 'stop' : 'continue')
  })
})
