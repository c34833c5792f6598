import { expect, test } from 'vitest'
import { noUsage, userMessage, type Message } from '../../../src/protocol/conversation/message.ts'
import { answerLength } from '../../../src/rules/conversation/answer-length.ts'

const large = { max_output: 128_000, window: 1_000_000 }
const unknown = { max_output: null, window: null }
const held = (input: number, said = ''): Message[] => [
  userMessage('Begin.'),
  {
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: 'a' }],
    stop: 'end',
    usage: { ...noUsage, input, output: 10 },
  },
  userMessage(said),
]
const messages = held(1_000)

test.for([
  ['nothing is known', { messages }, unknown, null],
  ['a usual answer at first, then all the model can', { messages }, large, { first: 32_000, most: 128_000 }],
  ["a small model's own limit", { messages }, { max_output: 8_192, window: 200_000 }, { first: 8_192, most: 8_192 }],
  [
    'thinking is beside the usual answer',
    { messages, thinking_budget: 20_000 },
    large,
    { first: 52_000, most: 128_000 },
  ],
  ['the highest effort has all of it at once', { messages, effort: 'max' }, large, { first: 128_000, most: 128_000 }],
  ["a person's limit counts at once", { messages, max_tokens: 50_000 }, large, { first: 50_000, most: 50_000 }],
  [
    "a person's limit is no longer than the model's",
    { messages, max_tokens: 500_000 },
    large,
    { first: 128_000, most: 128_000 },
  ],
  ["a person's limit alone", { messages, max_tokens: 700 }, unknown, { first: 700, most: 700 }],
  [
    'no more than the window has left',
    { messages: held(190_000) },
    { max_output: 64_000, window: 200_000 },
    { first: 9_990, most: 9_990 },
  ],
  [
    'what came since is guessed at',
    { messages: held(190_000, 'abc'.repeat(2_000)) },
    { max_output: 64_000, window: 200_000 },
    { first: 7_990, most: 7_990 },
  ],
  [
    'a full window leaves what is of use',
    { messages: held(199_999) },
    { max_output: 64_000, window: 200_000 },
    { first: 3_000, most: 3_000 },
  ],
] as const)('%s', ([, request, sizes, length]) => {
  expect(answerLength(request, sizes)).toEqual(length)
})
