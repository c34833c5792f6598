import { expect, test } from 'vitest'
import { retired } from '../../../src/rules/team/retention.ts'

const day = 86_400_000
const run = (id: string, age: number, more: object = {}) => ({
  id,
  created: 100 * day - age * day,
  bytes: 10,
  running: false,
  ...more,
})
const runs = [run('a', 1), run('b', 20), run('c', 40), run('d', 50, { running: true })]

test.each([
  ['too old', { olderThanMs: 30 * day }, ['c']],
  ['too old, but among the newest', { olderThanMs: 30 * day, keep: 3 }, []],
  ['too many', { keep: 1 }, ['b', 'c']],
  ['too heavy together', { maxBytes: 15 }, ['b', 'c']],
  ['nothing said', {}, []],
])('%s; a running one stays', (_, retention, expected) => {
  expect(retired(runs, retention, 100 * day)).toEqual(expected)
})

test('one of which nobody knows when it began is the oldest', () => {
  expect(retired([run('x', 0, { created: null }), run('a', 1)], { keep: 1 }, 100 * day)).toEqual(['x'])
})
