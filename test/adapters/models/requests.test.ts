import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { anthropicRequests } from '../../../src/adapters/models/anthropic/request.ts'
import { chatRequests } from '../../../src/adapters/models/chat/request.ts'
import { responsesRequests } from '../../../src/adapters/models/openai/request.ts'
import {
  noUsage,
  userMessage,
  type AssistantMessage,
  type Message,
} from '../../../src/protocol/conversation/message.ts'
import type { ModelRequest } from '../../../src/protocol/models/model.ts'
import { conversation, growing, steps } from './support/conversations.ts'

interface Block {
  readonly type: string
  readonly id?: string
  readonly text?: string
  readonly input?: unknown
  readonly tool_use_id?: string
  readonly call_id?: string
  readonly cache_control?: unknown
}

interface Item extends Block {
  readonly role?: string
  readonly content?: string | null | readonly Block[]
  readonly tool_calls?: readonly { readonly id: string }[]
  readonly tool_call_id?: string
}

interface Body {
  readonly messages?: readonly Item[]
  readonly input?: readonly Item[]
  readonly system?: readonly Block[]
  readonly tools?: readonly Readonly<Record<string, unknown>>[]
  readonly [field: string]: unknown
}

const tool = { name: 'Read', description: 'Reads.', parameters: { properties: { path: { type: 'string' } } } }
const asked = (messages: readonly Message[]): ModelRequest => ({
  agent: 'a',
  system: 'Be.',
  messages,
  tools: [tool, tool],
})

const nothing = new Set<never>()

type Write = (messages: readonly Message[]) => string

const writers: Readonly<Record<string, () => Write>> = {
  anthropic: () => {
    const write = anthropicRequests('m')
    return (messages) => write(asked(messages), nothing)
  },
  responses: () => {
    const write = responsesRequests('m')
    return (messages) => write(asked(messages), nothing)
  },
  chat: () => {
    const write = chatRequests('m')
    return (messages) => write(asked(messages), nothing)
  },
}

const writer = (name: string): Write => (writers[name] as () => Write)()
const written = (name: string, messages: readonly Message[]): Body => JSON.parse(writer(name)(messages)) as Body
const blocksOf = (item: Item | undefined): readonly Block[] =>
  typeof item?.content === 'string' ? [] : (item?.content ?? [])

const assistant = (content: AssistantMessage['content'], stop: AssistantMessage['stop'] = 'end'): AssistantMessage => ({
  role: 'assistant',
  model: 'm',
  content,
  stop,
  usage: noUsage,
})

describe('any conversation becomes a request that servers take', () => {
  property.prop([steps], { numRuns: 300 })('anthropic: roles alternate and start with the user', (given) => {
    const { messages = [] } = written('anthropic', conversation(given).messages)
    expect(messages.map(({ role }) => role)).toEqual(
      messages.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')),
    )
    for (const item of messages) expect(item.content).not.toHaveLength(0)
  })

  property.prop([steps], { numRuns: 300 })('anthropic: each call is answered first in the next message', (given) => {
    const { messages = [] } = written('anthropic', conversation(given).messages)
    for (const [index, item] of messages.entries()) {
      const calls = blocksOf(item).filter(({ type }) => type === 'tool_use')
      const replies = blocksOf(messages[index + 1])
      const results = replies.filter(({ type }) => type === 'tool_result')
      if (item.role === 'user') continue
      expect(results.map(({ tool_use_id }) => tool_use_id)).toEqual(calls.map(({ id }) => id))
      expect(replies.slice(0, results.length)).toEqual(results)
      for (const { input } of calls)
        expect(Array.isArray(input) || input === null || typeof input !== 'object').toBe(false)
    }
  })

  property.prop([steps], { numRuns: 300 })('anthropic: nothing is empty, thought never comes last', (given) => {
    const { messages = [] } = written('anthropic', conversation(given).messages)
    for (const block of messages.flatMap(blocksOf)) expect(block.text?.trim()).not.toBe('')
    for (const item of messages) expect(blocksOf(item).at(-1)?.type ?? 'text').not.toMatch(/thinking/)
  })

  property.prop([steps], { numRuns: 300 })('anthropic: at most four cache breakpoints', (given) => {
    const { messages = [], system = [], tools = [] } = written('anthropic', conversation(given).messages)
    const marks = [...system, ...tools, ...messages.flatMap(blocksOf)].filter((block) => 'cache_control' in block)
    expect(marks.length).toBeLessThanOrEqual(4)
    expect(tools.at(-1)).toHaveProperty('cache_control')
  })

  property.prop([steps], { numRuns: 300 })('chat: results follow their calls directly', (given) => {
    const { messages = [] } = written('chat', conversation(given).messages)
    for (const [index, { tool_calls = [] }] of messages.entries()) {
      const after = messages.slice(index + 1, index + 1 + tool_calls.length)
      expect(after.map(({ tool_call_id }) => tool_call_id)).toEqual(tool_calls.map(({ id }) => id))
    }
    const called = messages.flatMap(({ tool_calls = [] }) => tool_calls).length
    expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(called)
  })

  property.prop([steps], { numRuns: 300 })(
    'responses: each call has one output, reasoning leads somewhere',
    (given) => {
      const { input = [] } = written('responses', conversation(given).messages)
      const ids = (type: string): unknown[] => input.filter((item) => item.type === type).map(({ call_id }) => call_id)
      expect(ids('function_call_output')).toEqual(ids('function_call'))
      for (const [index, { type }] of input.entries()) {
        if (type === 'reasoning') expect(input[index + 1]?.role ?? 'assistant').toBe('assistant')
      }
      expect(input.at(-1)?.type).not.toBe('reasoning')
    },
  )

  property.prop([steps, fc.constantFrom(...Object.keys(writers))], { numRuns: 200 })(
    'what is kept between turns changes nothing',
    (given, name) => {
      const kept = writer(name)
      growing(given, (messages) => expect(kept(messages)).toBe(writer(name)([...messages])))
    },
  )
})

describe('what is sent', () => {
  test('a conversation that was edited in place is written anew', () => {
    const write = writer('anthropic')
    const messages: Message[] = [userMessage('one'), assistant([{ type: 'text', text: 'two' }]), userMessage('three')]
    write([...messages, assistant([{ type: 'text', text: 'four' }])])
    write(messages)
    messages[0] = userMessage('other')
    expect(write(messages)).toContain('other')
    expect(write(messages)).not.toContain('"one"')
  })

  test.each(['anthropic', 'responses', 'chat'])('%s: many turns add up to what is written at once', (name) => {
    const write = writer(name)
    const messages: Message[] = [userMessage('one')]
    for (let turn = 0; turn < 150; turn += 1) {
      write(messages)
      messages.push(assistant([{ type: 'text', text: `é ${turn} 🐎` }]), userMessage(`go on ${turn}`))
    }
    const said = Array.from(write(messages).matchAll(/é (\d+) 🐎/g), ([, turn]) => Number(turn))
    expect(said).toEqual(Array.from({ length: 150 }, (_, turn) => turn))
    expect(write(messages)).toBe(writer(name)(messages))
  })

  test('a turn adds to what was written before', () => {
    const write = writer('chat')
    const messages: Message[] = [userMessage('one'), assistant([{ type: 'text', text: 'two' }]), userMessage('three')]
    const before = write(messages)
    messages.push(assistant([{ type: 'text', text: 'four' }]), userMessage('five'))
    expect(write(messages).startsWith(before.slice(0, -2))).toBe(true)
  })

  test('broken arguments go back as what they were, in an object', () => {
    const call = { type: 'tool_use' as const, id: 'c', name: 'Read', input: {}, malformed: '{"a":' }
    const { messages = [] } = written('anthropic', [userMessage('go'), assistant([call], 'tools')])
    expect(blocksOf(messages[1])[0]?.input).toEqual({ INVALID_JSON: '{"a":' })
  })

  test.for(['anthropic', 'responses', 'chat'])('%s shows the images of results', (name) => {
    const call = { type: 'tool_use' as const, id: 'c', name: 'Read', input: {} }
    const png = { type: 'image' as const, media_type: 'image/png', data: 'UE5H' }
    const result = { call_id: 'c', tool: 'Read', content: [png], is_error: false }
    const messages: Message[] = [userMessage('go'), assistant([call], 'tools'), { role: 'tool', results: [result] }]
    expect(writer(name)(messages)).toContain('UE5H')
  })

  test('the conversation of another vendor is sent without its thoughts and blocks', () => {
    const said = assistant([
      { type: 'thinking', text: 'hm', opaque: { vendor: 'anthropic', signature: 'sig' } },
      { type: 'foreign', vendor: 'anthropic', raw: { type: 'server_tool_use' } },
      { type: 'text', text: 'Well.' },
    ])
    const messages = [userMessage('go'), said, userMessage('on')]
    expect(written('responses', messages).input).toHaveLength(3)
    expect(JSON.stringify(written('chat', messages))).not.toMatch(/sig|hm|server_tool_use/)
    expect(JSON.stringify(written('anthropic', messages))).toMatch(/sig.*server_tool_use/)
  })

  test('half a surrogate pair does not make JSON that servers refuse', () => {
    expect(writer('chat')([userMessage('cut \ud83d')])).not.toMatch(/\\ud83d/)
  })

  test('responses stores nothing and asks for sealed reasoning, unless refused', () => {
    const request = asked([userMessage('go')])
    expect(written('responses', request.messages)).toMatchObject({
      store: false,
      include: ['reasoning.encrypted_content'],
    })
    expect(JSON.parse(responsesRequests('m')(request, new Set(['seal'])))).not.toHaveProperty('include')
  })

  test('limits, and no cache marks where they are refused', () => {
    const request = { ...asked([userMessage('go')]), max_tokens: 7 }
    expect(anthropicRequests('m')(request, new Set(['cache']))).not.toContain('cache_control')
    expect(JSON.parse(anthropicRequests('m')(request, new Set(['cache'])))).toMatchObject({ max_tokens: 7 })
    expect(JSON.parse(responsesRequests('m')(request, nothing))).toMatchObject({ max_output_tokens: 7 })
    const chat = chatRequests('m')
    expect(JSON.parse(chat(request, new Set(['count', 'limit'])))).toEqual(
      expect.objectContaining({ max_completion_tokens: 7 }),
    )
    expect(chat(request, new Set(['count']))).not.toContain('stream_options')
  })
})
