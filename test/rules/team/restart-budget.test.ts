import { describe, expect, test } from 'vitest'
import { restartAllowed, startDelayMs } from '../../../src/rules/team/restart-budget.ts'

const intensity = { max: 2, within_ms: 100 }

describe('restartAllowed', () => {
  test.each([
    [[], 0, true],
    [[0], 0, true],
    [[0, 50], 50, true],
    [[0, 50, 99], 99, false],
    [[0, 50, 100], 100, true],
    [[0, 1, 2, 500], 500, true],
    [[450, 460, 500], 500, false],
  ])('crashes at %j, now %i: %s', (crashes, at, allowed) => {
    expect(restartAllowed(crashes, at, intensity)).toBe(allowed)
  })

  test('a budget of none gives up at the first crash', () => {
    expect(restartAllowed([7], 7, { max: 0, within_ms: 100 })).toBe(false)
  })
})

test('an attempt that came to nothing is followed by the next after twice the time, half a minute at most', () => {
  expect([0, 1, 2, 3, 6, 7, 50].map(startDelayMs)).toEqual([0, 500, 1_000, 2_000, 16_000, 30_000, 30_000])
})
