import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPatience } from '../../../src/adapters/mcp/client/call-patience.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const reasonOf = ({ over }: ReturnType<typeof openPatience>): unknown => (over.aborted ? String(over.reason) : null)

test('a call of which nothing is heard ends', () => {
  const patience = openPatience(1_000, () => false)
  vi.advanceTimersByTime(999)
  expect(reasonOf(patience)).toBeNull()
  vi.advanceTimersByTime(2)
  expect(reasonOf(patience)).toBe('Error: no answer within 1 s')
})

test('a call that tells of progress has its time again, and not for ever', () => {
  const patience = openPatience(1_000, () => false)
  const renewed = (times: number): void => {
    for (let n = 0; n < times; n += 1) {
      vi.advanceTimersByTime(900)
      patience.renew()
    }
  }
  renewed(60)
  expect(reasonOf(patience)).toBeNull()
  renewed(10)
  expect(reasonOf(patience)).toBe('Error: no result within 60 s')
})

test('the time of a call stands still while somebody thinks about a question of the server', () => {
  let asking = true
  const patience = openPatience(1_000, () => asking)
  vi.advanceTimersByTime(23 * 3_600_000)
  expect(reasonOf(patience)).toBeNull()
  asking = false
  vi.advanceTimersByTime(1_001)
  expect(reasonOf(patience)).toMatch(/^Error: no (answer|result) within/)
})

test('a server that asks without an end holds no call for ever', () => {
  const patience = openPatience(1_000, () => true)
  vi.advanceTimersByTime(24 * 3_600_000 + 61_000)
  expect(reasonOf(patience)).toBe('Error: no result within 60 s')
})

test('a call that is over keeps no timer', () => {
  openPatience(1_000, () => false).close()
  expect(vi.getTimerCount()).toBe(0)
})
