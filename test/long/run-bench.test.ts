import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('the bench stands by itself: library and raw loops over both wires, side by side as one document', () => {
  const words = ['bench/run-bench.ts', '--rounds', '1', '--case', 'arguments,abort', '--vs', '.', '--json']
  const printed = execFileSync(process.execPath, words, {
    encoding: 'utf8',
    env: { ...process.env, BENCH_SOURCE: '1' },
  })
  const { rows } = JSON.parse(printed) as { rows: readonly Record<'case' | 'wire' | 'medians' | 'ratios', unknown>[] }
  expect(rows.map((row) => `${String(row.case)} ${String(row.wire)}`)).toEqual([
    'arguments anthropic',
    'arguments chat',
    'abort anthropic',
    'abort chat',
  ])
  const positive = expect.toSatisfy((value: number) => value > 0) as number
  const three = { raw: positive, before: positive, now: positive }
  for (const { medians, ratios } of rows) expect({ medians, ratios }).toEqual({ medians: three, ratios: three })
})
