import { describe, expect, test } from 'vitest'
import { anthropicRefusals, anthropicRequests } from '../../../src/adapters/models/anthropic/request.ts'
import { chatRefusals, chatRequests } from '../../../src/adapters/models/chat/request.ts'
import { responsesRefusals, responsesRequests } from '../../../src/adapters/models/openai/request.ts'
import {
  noUsage,
  userMessage,
  type AssistantMessage,
  type ForeignBlock,
  type Message,
} from '../../../src/protocol/conversation/message.ts'
import { request } from '../../contracts/model.ts'
import { chatComplaints } from '../../support/vendors/chat.ts'
import { responsesComplaints } from '../../support/vendors/responses.ts'
import { hearOdd } from './support/odd-answer.ts'

/** What another model, another server or another time left in a conversation, as the next server takes it. */

type Content = AssistantMessage['content']

const said = (...content: Content): AssistantMessage => {
  return { role: 'assistant', model: 'm', content, stop: 'tools', usage: noUsage }
}
const call = (id: string, opaque?: unknown) => {
  return { type: 'tool_use' as const, id, name: 'Read', input: {}, ...(opaque === undefined ? {} : { opaque }) }
}
const thought = (text: string, opaque?: unknown) => ({ type: 'thinking' as const, text, opaque })
const answered = (...ids: readonly string[]): Message => ({
  role: 'tool',
  results: ids.map((call_id) => ({
    call_id,
    tool: 'Read',
    content: [{ type: 'text' as const, text: 'x' }],
    is_error: false,
  })),
})

interface Item {
  readonly type?: string
  readonly id?: string
  readonly call_id?: string
  readonly role?: string
  readonly [field: string]: unknown
}

const responses = (messages: readonly Message[], conceded: readonly (keyof typeof responsesRefusals)[] = []) => {
  const text = responsesRequests('m')({ ...request, messages }, new Set(conceded))
  expect(responsesComplaints(text)).toEqual([])
  return (JSON.parse(text) as { input: readonly Item[] }).input
}
const chat = (messages: readonly Message[], conceded: readonly (keyof typeof chatRefusals)[] = []) => {
  const text = chatRequests('m')({ ...request, messages }, new Set(conceded))
  expect(chatComplaints(text)).toEqual([])
  return (JSON.parse(text) as { messages: readonly Item[] }).messages.filter(({ role }) => role !== 'system')
}

describe('responses', () => {
  test('an id longer than the vendor takes becomes one of its length, on both sides', () => {
    const [long, other] = [`${'l'.repeat(80)}1`, `${'l'.repeat(80)}2`]
    const input = responses([userMessage('go'), said(call(long), call(other), call('c')), answered(long, other, 'c')])
    const ids = input.flatMap(({ call_id }) => call_id ?? [])
    expect(ids.slice(0, 3)).toEqual(ids.slice(3))
    expect(new Set(ids).size).toBe(3)
    expect(ids.map((id) => id.length)).toEqual([64, 64, 1, 64, 64, 1])
  })

  const reasoning = { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'sealed', status: null }
  const seal = (item: object) => ({ vendor: 'openai', item })

  test('reasoning goes back without the state that only answers have', () => {
    const [, first] = responses([userMessage('go'), said(thought('', seal(reasoning)), call('c')), answered('c')])
    expect(first).toEqual({ type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'sealed' })
  })

  test('an item goes back without an id that is longer than the vendor takes', () => {
    const item = { ...reasoning, id: 'r'.repeat(65) }
    const [, first] = responses([userMessage('go'), said(thought('', seal(item)), call('c')), answered('c')])
    expect(first).not.toHaveProperty('id')
  })

  test('reasoning that a server cannot unseal is left out from then on', () => {
    const messages = [userMessage('go'), said(thought('', seal(reasoning)), call('c')), answered('c')]
    expect('The encrypted content could not be verified. invalid_encrypted_content').toMatch(responsesRefusals.seal)
    expect(responses(messages, ['seal']).map(({ type }) => type)).not.toContain('reasoning')
  })

  const foreign = (raw: object): ForeignBlock => ({ type: 'foreign', vendor: 'openai', raw })

  test.for([
    { type: 'custom_tool_call', call_id: 'x', name: 'sh', input: 'ls' },
    { type: 'computer_call', call_id: 'x', action: {} },
    { type: 'local_shell_call', call_id: 'x', action: {} },
    { type: 'shell_call', call_id: 'x', action: {} },
    { type: 'apply_patch_call', call_id: 'x', operation: {} },
    { type: 'tool_search_call', call_id: 'x', execution: 'client', arguments: {} },
  ])('a call that nobody here can answer is left out: $type', (raw) => {
    const input = responses([userMessage('go'), said(thought('', seal(reasoning)), foreign(raw)), userMessage('well?')])
    expect(input.map(({ role }) => role)).toEqual(['user'])
  })

  test('calls that the server answered itself go back', () => {
    const program = foreign({ type: 'program', call_id: 'p', code: '1' })
    const search = foreign({ type: 'tool_search_call', call_id: 't', execution: 'server', arguments: {} })
    const shell = foreign({ type: 'shell_call', call_id: 's', action: {} })
    const output = foreign({ type: 'shell_call_output', call_id: 's', output: [] })
    const input = responses([userMessage('go'), said(program, search, shell, output), userMessage('well?')])
    expect(input).toHaveLength(6)
  })
})

describe('chat', () => {
  test.for([
    "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40.",
    'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.',
  ])('%s', (refusal) => {
    expect(refusal).toMatch(chatRefusals.ids)
    const [, { tool_calls } = {}, { tool_call_id } = {}] = chat(
      [userMessage('go'), said(call('l'.repeat(50))), answered('l'.repeat(50))],
      ['ids'],
    )
    expect(tool_calls).toMatchObject([{ id: tool_call_id }])
    expect(tool_call_id).toMatch(/^[a-z0-9]{9}$/)
  })

  test.for([
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
    'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
  ])('every answer thought something: %s', (refusal) => {
    expect(refusal).toMatch(chatRefusals.thoughts)
    const messages = [
      userMessage('go'),
      said(call('a')),
      answered('a'),
      said(thought('hm', { vendor: 'anthropic', signature: 'sig' }), call('b')),
      answered('b'),
      said({ type: 'text', text: 'Well.' }),
      userMessage('on'),
    ]
    const before = chat(messages)
    const after = chat(messages, ['thoughts'])
    expect(before.map(({ reasoning_content }) => reasoning_content)).toEqual(before.map(() => undefined))
    const answers = after.filter(({ role }) => role === 'assistant')
    expect(answers.map(({ reasoning_content }) => reasoning_content)).toEqual([' ', 'hm', ' '])
  })

  test("Unexpected role 'user' after role 'tool': a word of the model stands between them", () => {
    expect("Unexpected role 'user' after role 'tool'").toMatch(chatRefusals.order)
    const messages = [
      userMessage('go'),
      said(call('a')),
      answered('a'),
      userMessage('wait'),
      said(call('b')),
      answered('b'),
    ]
    const roles = (conceded: readonly 'order'[]) => chat(messages, conceded).map(({ role }) => role)
    expect(roles([])).toEqual(['user', 'assistant', 'tool', 'user', 'assistant', 'tool'])
    expect(roles(['order'])).toEqual(['user', 'assistant', 'tool', 'assistant', 'user', 'assistant', 'tool'])
  })

  test.for([
    'invalid message content type: <nil>',
    "Invalid 'content': 'content' field must be a string or an array of objects.",
    'messages.1.content: Input should be a valid string',
  ])('calls without a word have an empty one: %s', (refusal) => {
    expect(refusal).toMatch(chatRefusals.nulls)
    const messages = [userMessage('go'), said(call('a')), answered('a')]
    expect(chat(messages)[1]).toMatchObject({ content: null })
    expect(chat(messages, ['nulls'])[1]).toMatchObject({ content: '' })
  })

  test('an answer in a form that cannot be forced is asked for', () => {
    expect('Thinking mode does not support this tool_choice').toMatch(chatRefusals.force)
    const asked = { ...request, output: { name: 'answer', schema: { type: 'object', properties: {} } } }
    const body = (conceded: readonly ('format' | 'force')[]) =>
      JSON.parse(chatRequests('m')(asked, new Set(conceded))) as Readonly<Record<string, unknown>>
    expect(body(['format'])).toMatchObject({ tool_choice: { function: { name: 'answer' } } })
    expect(body(['format', 'force'])).not.toHaveProperty('tool_choice')
    expect(body(['format', 'force'])).toMatchObject({ tools: [{ function: { name: 'answer' } }] })
  })

  test('calls of others are signed as Gemini lets them be', () => {
    const refusal =
      'Function call is missing a thought_signature in functionCall parts. Function call `Read`, position 2.'
    expect(refusal).toMatch(chatRefusals.signatures)
    const own = call('c', { vendor: 'chat', extra_content: { google: { thought_signature: 'own' } } })
    const messages = [userMessage('go'), said(call('a'), call('b')), answered('a', 'b'), said(own), answered('c')]
    expect(JSON.stringify(chat(messages))).not.toContain('skip_thought_signature_validator')
    const [, first, , , second] = chat(messages, ['signatures'])
    const extra_content = { google: { thought_signature: 'skip_thought_signature_validator' } }
    expect(first?.['tool_calls']).toMatchObject([{ extra_content }, {}])
    expect(first?.['tool_calls']).not.toMatchObject([{}, { extra_content }])
    expect(second?.['tool_calls']).toMatchObject([{ extra_content: { google: { thought_signature: 'own' } } }])
  })
})

describe('anthropic', () => {
  test.for(['messages.1.content.0: Invalid `signature` in `thinking` block', 'Invalid thought signature.'])(
    'signatures of another server are left out from then on: %s',
    (refusal) => {
      expect(refusal).toMatch(anthropicRefusals.thoughts)
      const messages = [userMessage('go'), said(thought('hm', { vendor: 'anthropic', signature: 's' }), call('c'))]
      const asked = { ...request, messages: [...messages, answered('c')] }
      expect(anthropicRequests('m')(asked, new Set(['thoughts']))).not.toContain('"signature"')
    },
  )

  test('a server that wants to see all thoughts gets them as they are (DeepSeek)', () => {
    const refusal = 'The `content[].thinking` in the thinking mode must be passed back to the API.'
    expect(refusal).toMatch(anthropicRefusals.unsigned)
    const unsigned = thought('hm', { vendor: 'chat', field: 'reasoning_content' })
    const messages = [userMessage('go'), said(unsigned, call('a')), answered('a'), said(call('b')), answered('b')]
    const sent = (conceded: readonly 'unsigned'[]) =>
      (JSON.parse(anthropicRequests('m')({ ...request, messages }, new Set(conceded))) as { messages: Item[] }).messages
    expect(sent([])[1]).toMatchObject({ content: [{ type: 'tool_use' }] })
    const [, first, , second] = sent(['unsigned'])
    expect(first).toMatchObject({ content: [{ type: 'thinking', thinking: 'hm' }, { type: 'tool_use' }] })
    expect(second).toMatchObject({ content: [{ type: 'thinking', thinking: ' ' }, { type: 'tool_use' }] })
  })

  test('a signature that is said twice is one', async () => {
    const { content } = await hearOdd('anthropic', [
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: 'hm', signature: 'ab' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'ab' } },
      { type: 'message_stop' },
    ])
    expect(content).toEqual([thought('hm', { vendor: 'anthropic', signature: 'ab' })])
  })
})
