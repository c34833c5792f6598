import { expect, test } from 'vitest'
import { durationMs } from '../../../src/protocol/words/duration.ts'

test.each([
  ['0s', 0],
  ['250ms', 250],
  ['30s', 30_000],
  ['10m', 600_000],
  ['2h', 7_200_000],
])('%s is %i ms', (text, ms) => {
  expect(durationMs(text)).toBe(ms)
})

test('what is no duration is no number', () => {
  expect(durationMs('10 days')).toBeNaN()
})
