import { expect, test } from 'vitest'
import { afterAnswer, afterRefusal, afterRequest, unpaced } from '../../../src/rules/conversation/request-pace.ts'

const asked = (times: readonly number[]) => times.reduce(afterRequest, unpaced)

test('a refusal leaves as many requests in its time as were taken before it, and a silence first', () => {
  const first = afterRefusal(asked([100, 101, 102, 103, 104, 105]), { sent: 105, now: 200, retryAfterMs: 1_000 })
  expect(first).toMatchObject({ distance: 200, next: 1_200 })
  const whole = afterRefusal(first, { sent: 104, now: 201, retryAfterMs: 1_000 })
  expect(whole).toMatchObject({ distance: 250, next: 1_200 })
})

test('a refusal of a later request slows the pace, one of a request that was under way does not', () => {
  const first = afterRefusal(asked([100, 101]), { sent: 101, now: 200, retryAfterMs: undefined })
  expect(first.distance).toBe(1_000)
  const second = afterRefusal(afterRequest(first, 1_200), { sent: 1_200, now: 1_230, retryAfterMs: 90_000 })
  expect(second).toMatchObject({ distance: 1_500, next: 11_230 })
  expect(afterRefusal(second, { sent: 1_210, now: 1_240, retryAfterMs: 1_000 })).toMatchObject({ distance: 1_500 })
})

test('answers end a pace, and never begin one', () => {
  expect(afterAnswer(unpaced).distance).toBe(0)
  let pace = afterRefusal(asked([100]), { sent: 100, now: 200, retryAfterMs: 100 })
  for (let answers = 0; answers < 60; answers += 1) pace = afterAnswer(pace)
  expect(pace.distance).toBe(0)
})
