import { expect, test } from 'vitest'
import { judgeLines } from '../accept/judged-lines.ts'

/** `TROUPE_MINUTES` says when the test stops short of the million. */
const minutes = Number(process.env['TROUPE_MINUTES'] ?? 4)

test(
  'of generated lines none that is allowed has an effect that is forbidden',
  () => {
    const { judged, ran } = judgeLines(1_000_000, minutes)
    console.log(`${judged} lines judged, ${ran} of them run`)
    expect(judged).toBeGreaterThan(50_000)
    expect(ran).toBeGreaterThan(judged / 20)
  },
  (minutes + 5) * 60_000,
)
