import { describe, expect, test } from 'vitest'
import { chatAnswer } from '../../../../src/adapters/models/chat/answer.ts'
import { chatRequests } from '../../../../src/adapters/models/chat/request.ts'
import { contentOf, partsOf, type AnswerReader } from '../../../../src/adapters/models/served/draft.ts'
import { noUsage, userMessage } from '../../../../src/protocol/conversation/message.ts'
import { request } from '../../../contracts/model.ts'

const choice = (delta: unknown, finish_reason: string | null = null): unknown => ({
  choices: [{ delta, finish_reason }],
})
const calls = (...pieces: readonly unknown[]): unknown => choice({ tool_calls: pieces })

function heard(events: readonly unknown[]): AnswerReader {
  const answer = chatAnswer()
  for (const event of events) answer.take(event)
  return answer
}

const blocks = (events: readonly unknown[]): unknown => contentOf(partsOf(heard(events).draft), 'chat', 'tools')
const use = (id: string, name: string, input: unknown): unknown => ({ type: 'tool_use', id, name, input })

describe('servers that imitate the API differ in', () => {
  test('calls side by side, their pieces mixed', () => {
    const events = [
      calls({ index: 0, id: 'a', function: { name: 'Read' } }, { index: 1, id: 'b', function: { name: 'LS' } }),
      calls({ index: 1, function: { arguments: '{"p":' } }, { index: 0, function: { arguments: '{"f":1' } }),
      calls({ index: 0, function: { arguments: '}' } }, { index: 1, function: { arguments: '2}' } }),
      choice({}, 'tool_calls'),
    ]
    expect(blocks(events)).toEqual([use('a', 'Read', { f: 1 }), use('b', 'LS', { p: 2 })])
  })

  test('calls that all have the same index, or none', () => {
    const piece = (id: string): object => ({ id, function: { name: 'Read', arguments: '{}' } })
    const both = [use('a', 'Read', {}), use('b', 'Read', {})]
    expect(blocks([calls({ index: 0, ...piece('a') }), calls({ index: 0, ...piece('b') }), '[DONE]'])).toEqual(both)
    expect(blocks([calls(piece('a'), piece('b')), '[DONE]'])).toEqual(both)
  })

  test('a call whose id and name are repeated with every piece', () => {
    const piece = (args: string): unknown => calls({ index: 0, id: 'a', function: { name: 'Read', arguments: args } })
    expect(blocks([piece('{"f"'), piece(':1}'), '[DONE]'])).toEqual([use('a', 'Read', { f: 1 })])
  })

  test('arguments that are an object already', () => {
    expect(blocks([calls({ id: 'a', function: { name: 'Read', arguments: { f: 1 } } }), '[DONE]'])).toEqual([
      use('a', 'Read', { f: 1 }),
    ])
  })

  test('content in parts with thinking among it', () => {
    const parts = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'Well' },
    ]
    expect(blocks([choice({ content: parts }), '[DONE]'])).toEqual([
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'Well' },
    ])
  })

  test('reasoning in details that belong to two calls', () => {
    const [a, b] = ['a', 'b'].map((id) => ({ type: 'reasoning.encrypted', index: 0, id, data: id }))
    expect(
      blocks([choice({ reasoning_details: [a, b] }), choice({ reasoning_details: [b] }), choice({}, 'stop')]),
    ).toEqual([{ type: 'thinking', text: '', opaque: { vendor: 'chat', field: 'reasoning_details', details: [a, b] } }])
  })

  test('reasoning in details, whose pieces belong together', () => {
    const detail = (piece: object): unknown =>
      choice({ reasoning_details: [{ type: 'reasoning.text', index: 0, ...piece }] })
    const events = [detail({ text: 'a', signature: null }), detail({ text: 'b', signature: 's' }), choice({}, 'stop')]
    expect(blocks(events)).toMatchObject([
      { opaque: { field: 'reasoning_details', details: [{ text: 'ab', signature: 's', index: 0 }] } },
    ])
  })
})

test('what Gemini signs its calls with, and where thinking came in, goes back as it came', () => {
  const extra_content = { google: { thought_signature: 'zz' } }
  const piece = { index: 0, id: 'a', extra_content, function: { name: 'Read', arguments: '{}' } }
  const { draft } = heard([choice({ thinking: 'hm' }), calls(piece), choice({}, 'tool_calls')])
  const content = contentOf(partsOf(draft), 'chat', 'tools')
  const said = { role: 'assistant' as const, model: 'm', content, stop: 'tools' as const, usage: noUsage }
  const sent = chatRequests('m')({ ...request, messages: [userMessage('Go.'), said] }, new Set())
  const { messages } = JSON.parse(sent) as { readonly messages: readonly unknown[] }
  expect(messages).toContainEqual(
    expect.objectContaining({ thinking: 'hm', tool_calls: [expect.objectContaining({ id: 'a', extra_content })] }),
  )
})

test('what is not whole has no calls, what is cut short has no guessed arguments', () => {
  const started = [calls({ index: 0, id: 'a', function: { name: 'Read', arguments: '{"f"' } })]
  expect(blocks(started)).toEqual([])
  expect(contentOf(partsOf(heard([...started, choice({}, 'length')]).draft), 'chat', 'max_tokens')).toEqual([])
  expect(blocks([...started, choice({}, 'tool_calls')])).toEqual([
    { ...(use('a', 'Read', {}) as object), malformed: '{"f"' },
  ])
})

test('refusals, filters and errors', () => {
  expect(heard([choice({ refusal: 'I ' }), choice({ refusal: 'cannot.' }, 'stop')]).refusal()).toBe('I cannot.')
  expect(heard([choice({}, 'content_filter')]).refusal()).toContain('filter')
  expect(heard([choice({ content: 'x' }, 'stop')]).refusal()).toBeUndefined()
  expect(heard([choice({}, 'error')]).draft.fault?.code).toBe('server_error')
  expect(heard([{ error: { code: 429, message: 'rate_limit' }, choices: [] }]).draft.fault).toBeDefined()
})

test('counts that were never sent are zero, cached ones are not counted twice', () => {
  expect(heard(['[DONE]']).usage()).toEqual({ input: 0, output: 0, cache_read: 0, cache_write: 0 })
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 5,
    prompt_tokens_details: { cached_tokens: 8 },
    completion_tokens_details: { reasoning_tokens: 3 },
  }
  expect(heard([{ choices: [], usage }]).usage()).toEqual({
    input: 2,
    output: 5,
    cache_read: 8,
    cache_write: 0,
    reasoning: 3,
  })
})
