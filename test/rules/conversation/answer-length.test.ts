import { expect, test } from 'vitest'
import { answerLength } from '../../../src/rules/conversation/answer-length.ts'

const large = { max_output: 128_000, window: 1_000_000 }
const unknown = { max_output: null, window: null }
const held = { held_tokens: 1_010 }

test.for([
  ['nothing is known', held, unknown, null],
  ['a usual answer at first, then all the model can', held, large, { first: 32_000, most: 128_000 }],
  ["a small model's own limit", held, { max_output: 8_192, window: 200_000 }, { first: 8_192, most: 8_192 }],
  [
    'thinking is beside the usual answer',
    { ...held, thinking_budget: 20_000 },
    large,
    { first: 52_000, most: 128_000 },
  ],
  ['the highest effort has all of it at once', { ...held, effort: 'max' }, large, { first: 128_000, most: 128_000 }],
  ["a person's limit counts at once", { ...held, max_tokens: 50_000 }, large, { first: 50_000, most: 50_000 }],
  [
    "a person's limit is no longer than the model's",
    { ...held, max_tokens: 500_000 },
    large,
    { first: 128_000, most: 128_000 },
  ],
  ["a person's limit alone", { ...held, max_tokens: 700 }, unknown, { first: 700, most: 700 }],
  [
    'no more than the window has left',
    { held_tokens: 190_010 },
    { max_output: 64_000, window: 200_000 },
    { first: 9_990, most: 9_990 },
  ],
  [
    'a full window leaves what is of use',
    { held_tokens: 200_009 },
    { max_output: 64_000, window: 200_000 },
    { first: 3_000, most: 3_000 },
  ],
] as const)('%s', ([, request, sizes, length]) => {
  expect(answerLength(request, sizes)).toEqual(length)
})
