import { expect, test } from 'vitest'
import {
  noUsage,
  userMessage,
  type AssistantMessage,
  type Message,
  type StopReason,
} from '../../../src/protocol/conversation/message.ts'
import { continuePrompt, cutText, noWords, wordsAfter } from '../../../src/rules/conversation/cut-answer.ts'

const says = (text: string, stop: StopReason = 'end'): AssistantMessage => ({
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text }],
  stop,
  usage: noUsage,
})
const calls = (text: string): AssistantMessage => ({
  ...says(text, 'max_tokens'),
  content: [
    { type: 'text', text },
    { type: 'tool_use', id: 'c', name: 'Read', input: {} },
  ],
})
const goOn = userMessage(continuePrompt, 'runtime')
const person = userMessage('And?')
const results: Message = { role: 'tool', results: [] }

test.for<readonly [string, readonly Message[], string]>([
  ['nothing was said', [person], ''],
  ['the latest text', [says('a'), person, says('b')], 'b'],
  ['an answer in pieces', [says('a', 'max_tokens'), goOn, says('b', 'max_tokens'), goOn, says('c')], 'abc'],
  ['an answer that the vendor paused', [says('a', 'pause'), says('b')], 'ab'],
  ['pieces that nobody finished', [says('a', 'max_tokens'), goOn, says('b', 'max_tokens')], 'ab'],
  ['a new question after a piece', [says('a', 'max_tokens'), person, says('b')], 'b'],
  ['the words of a person who says the same', [says('a', 'max_tokens'), userMessage(continuePrompt), says('b')], 'b'],
  ['a cut answer with a call', [calls('a'), results, says('b')], 'b'],
  ['a piece without words', [says('x'), person, says('', 'max_tokens'), goOn, says('b')], 'b'],
  ['an end without words', [says('a', 'max_tokens'), goOn, says('')], 'a'],
])('%s', ([, messages, text]) => {
  expect(messages.reduce(wordsAfter, noWords).text).toBe(text)
})

test.for<readonly [string, AssistantMessage, string]>([
  ['words go on', says('Once upon', 'max_tokens'), continuePrompt],
  [
    'a call is to be made in parts',
    { ...says('', 'max_tokens'), cut_call: 'Write', usage: { ...noUsage, output: 8_192 } },
    'Your call to Write was cut off at 8192 tokens and was not made. Write it in parts: a first call with the beginning, then further calls that each add to it.',
  ],
  [
    'who said nothing has to think less',
    { ...says(' ', 'max_tokens'), usage: { ...noUsage, output: 300 } },
    'Your answer was cut off at 300 tokens before you had said anything. Think less, and answer in parts.',
  ],
  [
    'of servers that do not count',
    { ...says('', 'max_tokens'), cut_call: 'Write' },
    'Your call to Write was cut off at the longest answer that you may give and was not made. Write it in parts: a first call with the beginning, then further calls that each add to it.',
  ],
])('after a cut answer: %s', ([, message, text]) => {
  expect(cutText(message)).toBe(text)
})
