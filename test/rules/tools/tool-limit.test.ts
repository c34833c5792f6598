import { describe, expect, test } from 'vitest'
import { narrowLimits, overLimit } from '../../../src/rules/tools/tool-limit.ts'
import { toolPause } from '../../../src/rules/tools/tool-retry.ts'

describe('a limit', () => {
  test('says nothing below it', () => {
    expect(overLimit('Bash', { calls: 2, then: 'block' }, 1)).toBeNull()
  })

  test('that blocks refuses every call from then on', () => {
    for (const made of [2, 3]) {
      expect(overLimit('Bash', { calls: 2, then: 'block' }, made)).toEqual({
        verdict: 'block',
        message: 'Bash may be called 2 times in a run, and that is used up. Go on without it.',
        limited: { limit: 2, then: 'block' },
      })
    }
    expect(overLimit('Bash', { calls: 0, then: 'block' }, 0)).toMatchObject({
      message: 'Bash may not be called in this run. Go on without it.',
    })
  })

  test('that steers speaks once', () => {
    const said = [1, 2, 3].map((made) => overLimit('Bash', { calls: 2, then: 'steer' }, made)?.limited.steer)
    expect(said).toEqual([undefined, expect.stringContaining('at most 2 times') as string, undefined])
  })
})

test('of two limits on one tool the smaller number counts, and refusing beats telling', () => {
  const steer = (calls: number) => ({ calls, then: 'steer' as const })
  const block = (calls: number) => ({ calls, then: 'block' as const })
  expect(narrowLimits({ A: steer(5), B: block(5) }, { A: block(9), C: steer(1) })).toEqual({
    A: block(5),
    B: block(5),
    C: steer(1),
  })
})

test('pauses double, have an end, and need a declaration', () => {
  const retry = { times: 3, pauseMs: 100 }
  expect([1, 2, 3, 4].map((attempt) => toolPause(retry, attempt))).toEqual([100, 200, 400, null])
  expect(toolPause({ times: 20 }, 1)).toBe(500)
  expect(toolPause({ times: 20 }, 15)).toBe(30_000)
  expect(toolPause(null, 1)).toBeNull()
})
