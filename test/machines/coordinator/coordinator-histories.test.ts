import { expect, test } from 'vitest'
import { playHistory } from '../support/coordination-history.ts'

/** `npm run test:long` plays ten thousand. */
const count = Number(process.env['HISTORIES'] ?? 200)
const first = Number(process.env['FAST_CHECK_SEED'] ?? 1)

test(`${count} random histories of coordination break no rule`, { timeout: 60_000 + count * 100 }, () => {
  const broken = Array.from({ length: count }, (_, index) => first + index).flatMap((seed) => {
    const { flaws, path } = playHistory(seed)
    return flaws.length === 0 ? [] : [{ seed, flaws, path }]
  })
  expect(broken).toEqual([])
})

test('an old failure does not count against the attempt that followed it', () => {
  // Both were drawn at random: a leader that took up the run heard the first failure again, or begun a piece in vain.
  for (const seed of [245_561_846, 870_934_118, 476_158_531]) expect(playHistory(seed).flaws).toEqual([])
})
