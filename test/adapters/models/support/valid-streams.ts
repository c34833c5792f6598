import fc from 'fast-check'

/** Answers as the vendors' references say that they are streamed, in any order and cut anywhere. */

export type Event = Readonly<Record<string, unknown>>

export const words = fc.string({ unit: 'grapheme', maxLength: 20 })
export const token = fc.stringMatching(/^[a-z]{8}$/)
export const input = fc.dictionary(token, fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null)), {
  maxKeys: 3,
})
export const size = fc.integer({ min: 1, max: 9 })

export const cut = (text: string, at: number): readonly string[] => text.match(new RegExp(`.{1,${at}}`, 'gsu')) ?? []

/** Several things that are said at once: each keeps its own order. */
export function mixed(lists: readonly (readonly Event[])[], order: readonly number[]): readonly Event[] {
  const rest = lists.map((list) => [...list])
  const all: Event[] = []
  for (let turn = 0; rest.some((list) => list.length > 0); turn += 1) {
    const open = rest.filter((list) => list.length > 0)
    const next = open[(order[turn % Math.max(1, order.length)] ?? 0) % open.length]?.shift()
    if (next) all.push(next)
  }
  return all
}

export const order = fc.array(fc.nat(7), { maxLength: 12 })

// The Messages API.

interface Block {
  readonly begin: Event
  readonly deltas: readonly Event[]
}

const anthropicText = fc.tuple(words, size, fc.boolean()).map(([text, at, cited]): Block => ({
  begin: { type: 'text', text: '' },
  deltas: [
    ...(cited
      ? [{ type: 'citations_delta', citation: { type: 'char_location', cited_text: text, document_index: 0 } }]
      : []),
    ...cut(text, at).map((piece) => ({ type: 'text_delta', text: piece })),
  ],
}))

const anthropicThought = fc.oneof(
  fc.tuple(words, size, token).map(([text, at, signature]): Block => ({
    begin: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...cut(text, at).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature },
    ],
  })),
  token.map((data): Block => ({ begin: { type: 'redacted_thinking', data }, deltas: [] })),
)

const called = (type: string, name: string, more: object = {}): fc.Arbitrary<readonly [Block, string]> =>
  fc.tuple(fc.uuid(), input, size).map(([id, given, at]) => [
    {
      begin: { type, id, name, input: {}, ...more },
      deltas: cut(JSON.stringify(given), at).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    },
    id,
  ])

const anthropicCall = called('tool_use', 'Read').map(([block]): readonly Block[] => [block])

const served = fc.oneof(
  ...(
    [
      ['server_tool_use', 'web_search', {}, 'web_search_tool_result'],
      ['server_tool_use', 'web_fetch', {}, 'web_fetch_tool_result'],
      ['server_tool_use', 'code_execution', { caller: { type: 'direct' } }, 'code_execution_tool_result'],
      ['server_tool_use', 'bash_code_execution', {}, 'bash_code_execution_tool_result'],
      ['server_tool_use', 'tool_search_tool_regex', {}, 'tool_search_tool_result'],
      ['mcp_tool_use', 'echo', { server_name: 's' }, 'mcp_tool_result'],
    ] as const
  ).map(([type, name, more, result]) =>
    called(type, name, more).map(([block, id]): readonly Block[] => [
      block,
      { begin: { type: result, tool_use_id: id, content: [{ type: 'text', text: 'x' }] }, deltas: [] },
    ]),
  ),
)

const compaction = token.map((content): readonly Block[] => [
  { begin: { type: 'compaction', content: null }, deltas: [{ type: 'compaction_delta', content }] },
])
const upload = token.map((file_id): readonly Block[] => [{ begin: { type: 'container_upload', file_id }, deltas: [] }])

/** Ends in a word, so that nothing of it is left out on its way back. */
export const anthropicStream = fc
  .record({
    parts: fc.array(
      fc.oneof(
        anthropicText.map((block) => [block]),
        anthropicThought.map((block) => [block]),
        anthropicCall,
        served,
        compaction,
        upload,
      ),
      { maxLength: 6 },
    ),
    order,
    stop_reason: fc.constantFrom('end_turn', 'tool_use', 'stop_sequence', 'pause_turn', 'max_tokens'),
    counts: fc.tuple(fc.nat(999), fc.nat(999), fc.nat(999), fc.nat(999)),
  })
  .map(({ parts, order: pings, stop_reason, counts: [input_tokens, output_tokens, read, written] }) => {
    const last: Block = { begin: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text: 'done' }] }
    const blocks = [...parts.flat(), last].flatMap(({ begin, deltas }, index) => [
      { type: 'content_block_start', index, content_block: begin },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ])
    const usage = { input_tokens, cache_read_input_tokens: read, cache_creation_input_tokens: written }
    return [
      {
        type: 'message_start',
        message: {
          id: 'msg',
          type: 'message',
          role: 'assistant',
          content: [],
          model: 'm',
          stop_reason: null,
          usage: { ...usage, output_tokens: 1 },
        },
      },
      ...mixed([blocks, pings.map(() => ({ type: 'ping' }))], pings),
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } },
      { type: 'message_stop' },
    ] as readonly Event[]
  })

// The chat completions API.

const chunk = (delta: object | undefined, more: object = {}): Event => ({
  id: 'chatcmpl',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: delta === undefined ? [] : [{ index: 0, delta, finish_reason: null, logprobs: null, ...more }],
})

export const chatStream = fc
  .record({
    text: words,
    refusal: fc.constantFrom('', '', '', 'I will not.'),
    calls: fc.array(fc.tuple(fc.uuid(), input), { maxLength: 3 }),
    at: size,
    order,
    counts: fc.tuple(fc.nat(999), fc.nat(999), fc.nat(99)),
    isWhole: fc.boolean(),
  })
  .map(({ text, refusal, calls, at, order: turns, counts: [input_tokens, output, cached], isWhole }) => {
    const said = cut(text, at).map((content) => chunk({ content }))
    const reason = calls.length > 0 ? 'tool_calls' : 'stop'
    const refused = cut(refusal, at).map((piece) => chunk({ refusal: piece }))
    const called_ = calls.map(([id, given], index) => [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name: 'Read', arguments: '' } }] }),
      ...cut(JSON.stringify(given), at).map((args) =>
        chunk({ tool_calls: [{ index, function: { arguments: args } }] }),
      ),
    ])
    const heads = called_.flatMap(([head]) => (head ? [head] : []))
    return [
      chunk({ role: 'assistant', content: '', refusal: null }),
      ...said,
      ...refused,
      ...heads,
      ...mixed(
        called_.map((list) => list.slice(1)),
        turns,
      ),
      chunk({}, { finish_reason: isWhole ? reason : 'length' }),
      {
        ...chunk(undefined),
        usage: {
          prompt_tokens: input_tokens + cached,
          completion_tokens: output,
          total_tokens: input_tokens + cached + output,
          prompt_tokens_details: { cached_tokens: cached },
        },
      },
    ] as readonly Event[]
  })
