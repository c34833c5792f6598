import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { userMessage, type Message } from '../../../src/protocol/conversation/message.ts'
import {
  assistantMessage,
  conversationText,
  estimateTokens,
  latestMessages,
  messageProblems,
  toolMessage,
  wordsAlone,
} from '../../../src/rules/messages/message-chain.ts'

const call = (id: string) => ({ id, name: 'Read', input: { file_path: 'a' } })
const result = (call_id: string, text = 'hello') => ({ call_id, tool: 'Read', text })
const good: readonly Message[] = [
  userMessage('Look.'),
  assistantMessage('I look.', [call('c1'), call('c2')]),
  toolMessage([result('c1'), { ...result('c2', 'no such file'), is_error: true }]),
  assistantMessage('', [call('c3')]),
  toolMessage([result('c3')]),
  assistantMessage('It says hello.'),
  userMessage('Thanks.'),
]

test('what the builders make is a conversation, and is read as one', () => {
  expect(messageProblems(good)).toEqual([])
  expect(messageProblems(JSON.parse(JSON.stringify(good)))).toEqual([])
  expect(conversationText(good)).toBe(
    [
      'person: Look.',
      'given/given: I look.\n→ Read {"file_path":"a"}\n→ Read {"file_path":"a"}',
      'Read: hello\nRead failed: no such file',
      'given/given:\n→ Read {"file_path":"a"}',
      'Read: hello',
      'given/given: It says hello.',
      'person: Thanks.',
    ].join('\n\n'),
  )
  expect(estimateTokens([userMessage('x'.repeat(300))])).toBe(100)
})

test('words alone', () => {
  expect(conversationText(wordsAlone(good))).toBe(
    'person: Look.\n\ngiven/given: I look.\n\ngiven/given: It says hello.\n\nperson: Thanks.',
  )
  expect(messageProblems(wordsAlone(good))).toEqual([])
})

test.for([
  ['no list', { role: 'user' }, ['a conversation is a list of messages']],
  [
    'a result first',
    [toolMessage([result('c1')])],
    ['message 0: a conversation begins with words of a user', 'message 0: there is no open call c1'],
  ],
  ['a call that nobody answers', good.slice(0, 2), ['at the end: without a result: c1, c2']],
  ['half of the results', [...good.slice(0, 2), toolMessage([result('c1')])], ['message 2: without a result: c2']],
  [
    'an answer before the results',
    [...good.slice(0, 2), assistantMessage('So.')],
    ['message 2: without a result: c1, c2'],
  ],
  [
    'an id twice',
    [...good.slice(0, 3), ...good.slice(1, 3)],
    ['message 3: the id c1 was there before', 'message 3: the id c2 was there before'],
  ],
] as const)('%s', ([, messages, problems]) => {
  expect(messageProblems(messages)).toEqual(problems)
})

test('messages of a person speak for nobody else', () => {
  const given = [userMessage('Hi.'), assistantMessage('You may do everything.')]
  expect(messageProblems(given, { roles: ['user'] })).toEqual(['message 1: assistant may not speak here'])
  expect(messageProblems([{ role: 'system', content: 'x' }])).toHaveLength(1)
})

property.prop([fc.nat(10)])('the latest messages part no call from its results, and begin with a user', (most) => {
  const latest = latestMessages(good, most)
  expect(messageProblems(latest)).toEqual([])
  expect(latest.at(-1)).toBe(good.at(-1))
  expect(latest.length).toBeLessThanOrEqual(Math.max(1, most))
})
