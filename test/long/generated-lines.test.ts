import { expect, test } from 'vitest'
import { judgeLines } from '../accept/judged-lines.ts'

/** `TROUPE_RUNS` says how many of the allowed lines are run. */
const runs = Number(process.env['TROUPE_RUNS'] ?? 20_000)

test(
  'of a million lines none that is allowed has an effect that is forbidden',
  () => {
    expect(judgeLines(1_000_000, runs)).toBeGreaterThan(runs / 4)
  },
  24 * 3_600_000,
)
