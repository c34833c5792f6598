import { expect, test } from 'vitest'
import { judgeLines } from './judged-lines.ts'

test('of ten thousand lines none that is allowed has an effect that is forbidden', () => {
  expect(judgeLines(10_000).ran).toBeGreaterThan(500)
})
