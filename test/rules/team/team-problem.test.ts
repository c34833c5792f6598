import { expect, test } from 'vitest'
import { nameHint } from '../../../src/rules/team/team-problem.ts'

test.each([
  ['god', ['good', 'bad'], 'add it', 'did you mean good?'],
  ['zebra', ['good', 'bad'], undefined, 'there are good, bad'],
  ['zebra', ['good', 'bad'], 'add it', 'add it'],
  ['zebra', [], 'add it', 'add it'],
  ['zebra', [], undefined, 'there are none'],
])('the hint for %s of %j, else %j, is %j', (name, known, otherwise, hint) => {
  expect(nameHint(name, known, otherwise)).toBe(hint)
})
