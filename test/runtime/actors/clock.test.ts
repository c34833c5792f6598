import { expect, test, vi } from 'vitest'
import { ulidSource } from '../../../src/protocol/words/ids.ts'
import { systemClock } from '../../../src/runtime/actors/clock.ts'

test('ids rise while the clock moves, stands still and is set back, and no two clocks give the same', () => {
  const [one, other] = [systemClock(), systemClock()]
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const ids = [1_000, 1_000, 1_000, 1_001, 900, 1_001, 5_000].map((at) => {
      vi.setSystemTime(at)
      return one.mint()
    })
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set([...ids, ...ids.map(() => other.mint())]).size).toBe(2 * ids.length)
    for (const id of ids) expect(id).toMatch(new RegExp(`^${ulidSource}$`))
    expect(ids.at(0)?.slice(0, 10)).toBe('00000000Z8')
    expect(ids.at(-1)?.slice(0, 10)).toBe('00000004W8')
  } finally {
    vi.useRealTimers()
  }
})

test('a timer of a thousand hours does not ring before a short one', async () => {
  const clock = systemClock()
  const rung = await new Promise((resolve) => {
    const long = clock.setTimeout(() => resolve('long'), 1_000 * 3_600_000)
    clock.setTimeout(() => {
      clock.clearTimeout(long)
      resolve('short')
    }, 100)
  })
  expect(rung).toBe('short')
})
