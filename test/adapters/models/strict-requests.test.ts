import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { anthropicRefusals, anthropicRequests } from '../../../src/adapters/models/anthropic/request.ts'
import { chatRefusals, chatRequests } from '../../../src/adapters/models/chat/request.ts'
import { responsesRefusals, responsesRequests } from '../../../src/adapters/models/openai/request.ts'
import {
  noUsage,
  userMessage,
  type AssistantMessage,
  type Message,
} from '../../../src/protocol/conversation/message.ts'
import { efforts, type ModelRequest } from '../../../src/protocol/models/model.ts'
import { anthropicComplaints } from '../../support/vendors/anthropic.ts'
import { chatComplaints } from '../../support/vendors/chat.ts'
import { responsesComplaints } from '../../support/vendors/responses.ts'
import { conversation, steps } from './support/conversations.ts'

const schemas: readonly Readonly<Record<string, unknown>>[] = [
  { properties: { path: { type: 'string' } } },
  { type: 'object' },
  { anyOf: [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, { properties: { a: {} } }] },
  { $ref: '#/$defs/node', $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } } },
  { properties: { a: { type: 'array' }, b: { items: [{}, { type: 'any' }] }, c: true }, required: ['d'] },
  { properties: { a: { exclusiveMinimum: true, minimum: 1, required: true } }, anyOf: [{ properties: [] }] },
  { properties: { 'a b': {}, $top: { enum: [] } }, required: ['a b'] },
  { properties: [], items: true, required: 'x' },
  { allOf: [{ properties: { $ref: { type: 'string' } } }, { properties: { b: { type: 'number' } }, required: ['b'] }] },
]

const tools = fc
  .uniqueArray(
    fc.constantFrom('Read', 'mcp__a.b c', 'mcp__a_b c', 'ü', `${'long'.repeat(30)}1`, `${'long'.repeat(30)}2`),
    {
      maxLength: 6,
    },
  )
  .chain((names) =>
    fc.tuple(
      ...names.map((name) => fc.constantFrom(...schemas).map((parameters) => ({ name, description: '', parameters }))),
    ),
  )

const settings = fc.record(
  {
    max_tokens: fc.constantFrom(1, 1_500, 8_192),
    effort: fc.constantFrom(...efforts),
    thinking_budget: fc.constantFrom(0, 100, 4_000, 60_000),
    output: fc.constant({ name: 'answer', schema: { type: 'object', properties: { n: { type: 'number' } } } }),
  },
  { requiredKeys: [] },
)

const asked = (given: Parameters<typeof conversation>[0], more: object): ModelRequest => ({
  agent: 'a',
  system: 'Be.',
  messages: spokenTo(conversation(given).messages),
  tools: [],
  ...more,
})

/** Nobody asks a model before somebody spoke. */
function spokenTo(messages: readonly Message[]): readonly Message[] {
  return messages.some(({ role }) => role === 'user') ? messages : [userMessage('Go.'), ...messages]
}

const some = <Name extends string>(names: Readonly<Record<Name, unknown>>): fc.Arbitrary<ReadonlySet<Name>> =>
  fc.subarray(Object.keys(names) as Name[]).map((list) => new Set(list))

/** What is conceded to a server that is not Anthropic's, Anthropic would refuse. */
const strict = some(anthropicRefusals).filter((conceded) => !conceded.has('unsigned'))

const many = { numRuns: 1_000 }

describe('no vendor has anything against what is written, whatever was said and conceded before', () => {
  property.prop([steps, tools, settings, strict], many)('anthropic', (given, list, more, conceded) => {
    expect(anthropicComplaints(anthropicRequests('m')(asked(given, { tools: list, ...more }), conceded))).toEqual([])
  })

  property.prop([steps, tools, settings, some(chatRefusals)], many)('chat', (given, list, more, conceded) => {
    expect(chatComplaints(chatRequests('m')(asked(given, { tools: list, ...more }), conceded))).toEqual([])
  })

  property.prop([steps, tools, settings, some(responsesRefusals)], many)('responses', (given, list, more, conceded) => {
    expect(responsesComplaints(responsesRequests('m')(asked(given, { tools: list, ...more }), conceded))).toEqual([])
  })
})

const spoken = (content: AssistantMessage['content'], stop: AssistantMessage['stop'] = 'end'): AssistantMessage => {
  return { role: 'assistant', model: 'm', content, stop, usage: noUsage }
}

describe('the judges judge', () => {
  const call = { type: 'tool_use', id: 'c', name: 'Read', input: {} }
  const bare = (messages: unknown[]): string => JSON.stringify({ model: 'm', max_tokens: 9, messages })
  test.for([
    ['roles', [{ role: 'assistant', content: 'x' }], /alternate/],
    ['an empty text', [{ role: 'user', content: ' ' }], /non-whitespace/],
    [
      'a call without result',
      [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [call] },
      ],
      /without `tool_result`/,
    ],
    [
      'a stray result',
      [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'd', content: 'x' }] }],
      /unexpected/,
    ],
    [
      'a last blank',
      [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: 'x ' },
      ],
      /trailing/,
    ],
  ] as const)('anthropic refuses %s', ([, messages, said]) => {
    expect(anthropicComplaints(bare([...messages])).join('\n')).toMatch(said)
  })

  test.for([
    [
      'a call without result',
      [{ role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'R', arguments: '{}' } }] }],
      /did not have response/,
    ],
    ['a stray result', [{ role: 'tool', tool_call_id: 'c', content: 'x' }], /must follow/],
  ] as const)('chat refuses %s', ([, messages, said]) => {
    expect(chatComplaints(bare([...messages])).join('\n')).toMatch(said)
  })

  test.for([
    ['a call without output', [{ type: 'function_call', call_id: 'c', name: 'R', arguments: '{}' }], /No tool output/],
    ['reasoning that leads nowhere', [{ type: 'reasoning', id: 'r', encrypted_content: 'x' }], /required following/],
    [
      'reasoning that is not sealed',
      [
        { type: 'reasoning', id: 'r' },
        { role: 'assistant', content: 'x' },
      ],
      /not found/,
    ],
  ] as const)('responses refuses %s', ([, input, said]) => {
    expect(responsesComplaints(JSON.stringify({ model: 'm', store: false, input })).join('\n')).toMatch(said)
  })
})

describe('what is said of thinking', () => {
  const thought = { type: 'thinking' as const, text: 'hm', opaque: { vendor: 'anthropic', signature: 'sig' } }
  const call = { type: 'tool_use' as const, id: 'c', name: 'Read', input: {} }
  const results = {
    role: 'tool' as const,
    results: [{ call_id: 'c', tool: 'Read', content: [{ type: 'text' as const, text: 'x' }], is_error: false }],
  }
  const body = (
    messages: readonly Message[],
    more: object,
    conceded: readonly (keyof typeof anthropicRefusals)[] = [],
  ) =>
    JSON.parse(anthropicRequests('m')(asked([], { messages, ...more }), new Set(conceded))) as Record<string, unknown>

  test('a budget is asked for, and left out while calls made without thinking are answered', () => {
    const thinking = { type: 'enabled', budget_tokens: 4_000 }
    const more = { thinking_budget: 4_000 }
    expect(body([userMessage('go')], more)).toMatchObject({ thinking, max_tokens: 36_000 })
    expect(body([userMessage('go'), spoken([thought, call], 'tools'), results], more)).toMatchObject({ thinking })
    expect(body([userMessage('go'), spoken([call], 'tools'), results], more)).not.toHaveProperty('thinking')
  })

  test('a model that wants no budget thinks as it likes; one that knows neither is not asked', () => {
    const more = { thinking_budget: 4_000, effort: 'high' }
    expect(body([userMessage('go')], more, ['budget'])).toMatchObject({ thinking: { type: 'adaptive' } })
    const plain = body([userMessage('go')], more, ['budget', 'adaptive', 'effort'])
    expect(plain).not.toHaveProperty('thinking')
    expect(plain).not.toHaveProperty('output_config')
  })

  test("efforts in each vendor's words", () => {
    const go = asked([], { messages: [userMessage('go')], effort: 'max' })
    expect(body(go.messages, go)).toMatchObject({ output_config: { effort: 'max' } })
    expect(JSON.parse(chatRequests('m')(go, new Set()))).toMatchObject({ reasoning_effort: 'max' })
    expect(JSON.parse(responsesRequests('m')(go, new Set(['max', 'xhigh'])))).toMatchObject({
      reasoning: { effort: 'high' },
    })
    const budget = { ...asked([], { messages: go.messages }), thinking_budget: 5_000 }
    expect(JSON.parse(chatRequests('m')(budget, new Set()))).toMatchObject({ reasoning_effort: 'medium' })
  })

  test('refused signatures go back no more', () => {
    expect(
      JSON.stringify(
        body([userMessage('go'), spoken([thought, { type: 'text', text: 'Well.' }]), userMessage('on')], {}, [
          'thoughts',
        ]),
      ),
    ).not.toContain('sig')
  })
})

describe('a pause', () => {
  const search = {
    type: 'foreign' as const,
    vendor: 'anthropic',
    raw: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
  }
  const paused = [userMessage('go'), spoken([{ type: 'text', text: 'Searching. ' }, search], 'pause')]
  const text = (messages: readonly Message[]): string => anthropicRequests('m')(asked([], { messages }), new Set())

  test('is sent back as it came, marked where a mark can be', () => {
    expect(text(paused)).toContain('server_tool_use')
    expect(text(paused)).toContain('"text":"go","cache_control"')
    expect(anthropicComplaints(text(paused))).toEqual([])
  })

  test('that somebody spoke into loses what nobody answered', () => {
    const spokenInto = text([...paused, userMessage('wait')])
    expect(spokenInto).not.toContain('server_tool_use')
    expect(anthropicComplaints(spokenInto)).toEqual([])
  })
})
