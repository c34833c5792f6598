import { expect, test } from 'vitest'
import { traceContextOf, traceparentOf } from '../../src/protocol/telemetry/trace-context.ts'

const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']

test.each([
  [`00-${traceId}-${spanId}-01`, true],
  [`00-${traceId}-${spanId}-00`, false],
  // A later version may say more.
  [`01-${traceId}-${spanId}-03-more`, true],
  [` 00-${traceId}-${spanId}-01\n`, true],
])('%j is a context', (text, sampled) => {
  expect(traceContextOf(text)).toEqual({ traceId, spanId, sampled })
})

test.each([
  undefined,
  '',
  `ff-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-01\u0000`,
])('%j is none', (text) => {
  expect(traceContextOf(text)).toBeNull()
})

test('what is written is read', () => {
  const context = { traceId, spanId, sampled: true }
  expect(traceContextOf(traceparentOf(context))).toEqual(context)
})
