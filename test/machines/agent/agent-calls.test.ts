import { fc, test as prop } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { toolBatches } from '../../../machines/agent/agent-calls.ts'

const calls = (pattern: string) => pattern.split('').map((letter) => ({ safe: letter === 's' }))

describe('toolBatches', () => {
  test.each([
    ['', []],
    ['s', [[0]]],
    ['u', [[0]]],
    ['ss', [[0, 1]]],
    ['uu', [[0], [1]]],
    ['ssuss', [[0, 1], [2], [3, 4]]],
    ['us', [[0], [1]]],
  ])('%s', (pattern, batches) => {
    expect(toolBatches(calls(pattern))).toEqual(batches)
  })

  test('ten safe calls run together, the eleventh waits', () => {
    expect(toolBatches(calls('s'.repeat(11))).map((batch) => batch.length)).toEqual([10, 1])
  })

  test('the cap can be set', () => {
    expect(toolBatches(calls('sss'), 2)).toEqual([[0, 1], [2]])
  })

  prop.prop([fc.array(fc.boolean(), { maxLength: 60 }), fc.integer({ min: 1, max: 12 })])(
    'keeps order, respects the cap, never mixes an unsafe call and never splits without need',
    (safety, cap) => {
      const batches = toolBatches(
        safety.map((safe) => ({ safe })),
        cap,
      )
      expect(batches.flat()).toEqual(safety.map((_, i) => i))
      for (const [i, batch] of batches.entries()) {
        expect(batch.length).toBeLessThanOrEqual(cap)
        const alone = batch.length === 1
        expect(alone || batch.every((index) => safety[index] === true)).toBe(true)
        const next = batches[i + 1]
        const mergeable = next !== undefined && [...batch, ...next].every((index) => safety[index] === true)
        expect(mergeable && batch.length < cap).toBe(false)
      }
    },
  )
})
