import { expect, test } from 'vitest'
import { isRunaway, runawayText } from '../../../src/projections/cost/runaway.ts'

test.for([
  ['five turns that are each dearer', [1, 2, 3, 4, 5, 6], true],
  ['the same after cheaper ones', [9, 9, 1, 2, 3, 4, 5, 6], true],
  ['four such turns', [1, 2, 3, 4, 5], false],
  ['one that was not dearer', [1, 2, 3, 3, 5, 6], false],
  ['a conversation that only grows', [100, 103, 106, 109, 112, 115], false],
  ['turns that cost nothing', [0, 0, 0, 0, 0, 0], false],
] as const)('%s', ([, costs, runs]) => {
  expect(isRunaway(costs)).toBe(runs)
})

test('the words name both ends', () => {
  expect(runawayText([1, 2, 3, 4, 5, 6])).toBe(
    'each of the last 5 turns was dearer than the one before: from $2.0000 to $6.0000',
  )
})
