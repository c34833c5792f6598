import { expect, test } from 'vitest'
import { cacheTimes, longMedian } from '../../../src/rules/conversation/cache-times.ts'

const story = { ttl: undefined, delegates: false, extended: false }

test('who gives no work away leaves it to the vendor; a person is obeyed', () => {
  expect(cacheTimes(story)).toBeNull()
  expect(cacheTimes({ ...story, ttl: '1h' })).toEqual({ head: '1h', talk: '1h' })
  expect(cacheTimes({ ...story, ttl: '5m', delegates: true, extended: true })).toEqual({ head: '5m', talk: '5m' })
})

test('a lead keeps its tools and prompt for an hour, its conversation only after long waits', () => {
  expect(cacheTimes({ ...story, delegates: true })).toEqual({ head: '1h', talk: '5m' })
  expect(cacheTimes({ ...story, delegates: true, extended: true })).toEqual({ head: '1h', talk: '1h' })
})

test.for([
  [[], null],
  [[300_000], null],
  [[10, 300_001, 20], null],
  [[400_000, 10, 360_000], 360_000],
] as const)('the median of %j is %s', ([waits, median]) => {
  expect(longMedian(waits)).toBe(median)
})
