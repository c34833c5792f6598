import type { Odd } from '../support/odd-answer.ts'

/** Answers of gateways and servers that speak the vendors' own APIs in their own way. */

const hi = { stop: 'end', text: 'Hi' } as const
const ev = (type: string, more: object = {}): object => ({ type: `response.${type}`, ...more })
const created = ev('created', { response: { id: 'r', status: 'in_progress', output: [] } })
const usage = { input_tokens: 9, output_tokens: 7, input_tokens_details: { cached_tokens: 4 } }
const completed = (output: unknown = [], more: object = {}): object =>
  ev('completed', { response: { status: 'completed', output, usage, ...more } })
const msg = (text: string, more: object = {}): object => ({
  type: 'message',
  id: 'm',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
  ...more,
})
const call = (args: unknown, more: object = {}): object => ({
  type: 'function_call',
  id: 'fc',
  call_id: 'x',
  name: 'Read',
  arguments: args,
  status: 'completed',
  ...more,
})
const one = { stop: 'tools', calls: [['Read', { f: 1 }]] } as const
const added = (output_index: unknown, item: object): object => ev('output_item.added', { output_index, item })
const fin = (output_index: unknown, item: object): object => ev('output_item.done', { output_index, item })

export const responsesGateways: readonly Odd[] = [
  [
    'done (OpenRouter)',
    [
      created,
      ev('output_text.delta', { output_index: 0, delta: 'Hi' }),
      ev('done', { response: { status: 'completed', output: [msg('Hi')], usage } }),
      '[DONE]',
    ],
    { ...hi, usage: [5, 7, 4, 0] },
  ],
  [
    'content_part.delta (OpenRouter)',
    [created, added(0, msg('')), ev('content_part.delta', { output_index: 0, delta: 'Hi' }), completed()],
    hi,
  ],
  [
    'content_part.done only',
    [
      created,
      added(0, msg('')),
      ev('content_part.done', { output_index: 0, content_index: 0, part: { type: 'output_text', text: 'Hi' } }),
      completed(),
    ],
    hi,
  ],
  [
    'content_part.done refusal only',
    [
      created,
      added(0, msg('')),
      ev('content_part.done', { output_index: 0, part: { type: 'refusal', refusal: 'No.' } }),
      completed(),
    ],
    { stop: 'refusal', failure: 'refused' },
  ],
  [
    'summary done only',
    [
      created,
      ev('reasoning_summary_text.done', { output_index: 0, summary_index: 0, text: 'hm' }),
      fin(1, msg('Hi')),
      completed(),
    ],
    { ...hi, thinking: 'hm' },
  ],
  [
    'reasoning_text done only',
    [created, ev('reasoning_text.done', { output_index: 0, text: 'hm' }), fin(1, msg('Hi')), completed()],
    { ...hi, thinking: 'hm' },
  ],
  [
    'reasoning.delta (older vLLM)',
    [created, ev('reasoning.delta', { output_index: 0, delta: 'hm' }), fin(1, msg('Hi')), completed()],
    { ...hi, thinking: 'hm' },
  ],
  [
    'queued',
    [ev('queued', { response: {} }), created, ev('in_progress', { response: {} }), fin(0, msg('Hi')), completed()],
    hi,
  ],
  ['args null', [created, fin(0, call(null)), completed()], { stop: 'tools', calls: [['Read', {}]] }],
  ['args obj', [created, fin(0, call({ f: 1 })), completed()], one],
  ['args empty string', [created, fin(0, call('')), completed()], { stop: 'tools', calls: [['Read', {}]] }],
  ['call only in completed', [created, completed([call('{"f":1}')])], one],
  ['call item without status', [created, fin(0, call('{"f":1}', { status: undefined })), completed()], one],
  [
    'call in_progress in the end',
    [
      created,
      added(0, call('')),
      ev('function_call_arguments.delta', { output_index: 0, delta: '{"f":1}' }),
      ev('function_call_arguments.done', { output_index: 0, arguments: '{"f":1}' }),
      completed([call('{"f":1}', { status: 'in_progress' })]),
    ],
    one,
  ],
  [
    'call added with args, deltas again',
    [
      created,
      added(0, call('{"f":1}')),
      ev('function_call_arguments.delta', { output_index: 0, delta: '{"f":1}' }),
      fin(0, call('{"f":1}')),
      completed(),
    ],
    one,
  ],
  [
    'call never done, only added+deltas',
    [
      created,
      added(0, call('')),
      ev('function_call_arguments.delta', { output_index: 0, delta: '{"f":1}' }),
      completed(),
    ],
    one,
  ],
  ['call added with args only', [created, added(0, call('{"f":1}')), completed()], one],
  [
    'call half, completed',
    [
      created,
      added(0, call('')),
      ev('function_call_arguments.delta', { output_index: 0, delta: '{"f":' }),
      completed(),
    ],
    { stop: 'error', failure: 'stream_broken' },
  ],
  ['call id missing', [created, fin(0, call('{"f":1}', { call_id: undefined })), completed()], one],
  [
    'no index: items one after the other',
    [created, fin(undefined, msg('Hi')), fin(undefined, call('{"f":1}')), completed([msg('Hi'), call('{"f":1}')])],
    { ...one, text: 'Hi' },
  ],
  [
    'custom tool call',
    [created, fin(0, { type: 'custom_tool_call', call_id: 'x', name: 'sh', input: 'ls' }), completed()],
    { stop: 'end', items: ['custom_tool_call'] },
  ],
  [
    'error event code only',
    [created, { type: 'error', code: 'server_error' }],
    { stop: 'error', failure: 'server_error' },
  ],
  [
    'error nested response.error',
    [created, ev('error', { error: { code: 'rate_limit_exceeded', message: 'x' } })],
    { stop: 'error', failure: 'rate_limited' },
  ],
  ['failed in list', [[{ error: { code: 503, message: 'UNAVAILABLE' } }]], { stop: 'error', failure: 'overloaded' }],
  [
    'completed with incomplete_details null',
    [created, fin(0, msg('Hi')), completed([], { incomplete_details: null, error: null })],
    hi,
  ],
  [
    'one piece with calls',
    JSON.stringify({ object: 'response', status: 'completed', output: [call('{"f":1}')], usage }),
    { ...one, usage: [5, 7, 4, 0] },
  ],
  [
    'one piece failed',
    JSON.stringify({
      object: 'response',
      status: 'failed',
      error: { code: 'rate_limit_exceeded', message: 'x' },
      output: [],
    }),
    { stop: 'error', failure: 'rate_limited' },
  ],
  [
    'one piece chat by mistake',
    JSON.stringify({ object: 'chat.completion', choices: [{ message: { content: 'Hi' } }] }),
    { stop: 'error', failure: 'invalid_request' },
  ],
  [
    'chat chunks by mistake',
    [
      { object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] },
      '[DONE]',
    ],
    { stop: 'error', failure: 'stream_broken' },
  ],
  [
    'max tokens with only reasoning',
    [
      created,
      fin(0, { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'zz' }),
      ev('incomplete', {
        response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [], usage },
      }),
    ],
    { stop: 'max_tokens' },
  ],
]

const open = { type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: 9, output_tokens: 1 } } }
const closed = { type: 'message_stop' }
const starts = (index: unknown, content_block: object): object => ({
  type: 'content_block_start',
  index,
  content_block,
})
const grows = (index: unknown, delta: object): object => ({ type: 'content_block_delta', index, delta })
const stops = (index: unknown): object => ({ type: 'content_block_stop', index })
const ends = (stop_reason: unknown, more: object = {}): object => ({
  type: 'message_delta',
  delta: { stop_reason },
  usage: { output_tokens: 7, ...more },
})
const txt = (i: unknown, text: string): object[] => [
  starts(i, { type: 'text', text: '' }),
  grows(i, { type: 'text_delta', text }),
  stops(i),
]

const begun = (content: unknown, more: object = {}): object => ({
  type: 'message_start',
  message: { id: 'msg_1', content, ...more },
})
const read = (f: unknown): object => ({
  type: 'tool_use',
  id: 't',
  name: 'Read',
  input: typeof f === 'number' ? { f } : f,
})

export const anthropicGateways: readonly Odd[] = [
  [
    'delta without type',
    [open, starts(0, { type: 'text', text: '' }), grows(0, { text: 'Hi' }), stops(0), ends('end_turn'), closed],
    hi,
  ],
  [
    'text_delta on undeclared tool',
    [
      open,
      starts(0, { type: 'tool_use', id: 't', name: 'Read', input: {} }),
      grows(0, { type: 'text_delta', text: 'Hi' }),
      grows(0, { type: 'input_json_delta', partial_json: '{"f":1}' }),
      stops(0),
      ends('tool_use'),
      closed,
    ],
    one,
  ],
  [
    'args null literal',
    [
      open,
      starts(0, { type: 'tool_use', id: 't', name: 'Read', input: {} }),
      grows(0, { type: 'input_json_delta', partial_json: 'null' }),
      stops(0),
      ends('tool_use'),
      closed,
    ],
    { stop: 'tools', calls: [['Read', {}]] },
  ],
  [
    'stop_reason in message_start',
    [{ type: 'message_start', message: { id: 'm', stop_reason: null } }, ...txt(0, 'Hi'), closed],
    hi,
  ],
  [
    'max_tokens with half thinking',
    [
      open,
      starts(0, { type: 'thinking', thinking: '' }),
      grows(0, { type: 'thinking_delta', thinking: 'hm' }),
      ends('max_tokens'),
      closed,
    ],
    { stop: 'max_tokens', thinking: 'hm' },
  ],
  [
    'max_tokens with server tool half',
    [
      open,
      starts(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
      grows(0, { type: 'input_json_delta', partial_json: '{"q' }),
      ends('max_tokens'),
      closed,
    ],
    { stop: 'max_tokens' },
  ],
  [
    'tool after server tool',
    [
      open,
      starts(0, { type: 'mcp_tool_use', id: 'm', name: 'x', server_name: 's', input: {} }),
      grows(0, { type: 'input_json_delta', partial_json: '{}' }),
      stops(0),
      starts(1, { type: 'mcp_tool_result', tool_use_id: 'm', content: [] }),
      stops(1),
      starts(2, { type: 'tool_use', id: 't', name: 'Read', input: {} }),
      grows(2, { type: 'input_json_delta', partial_json: '{"f":1}' }),
      stops(2),
      ends('tool_use'),
      closed,
    ],
    { ...one, items: ['mcp_tool_use', 'mcp_tool_result'] },
  ],
  [
    'error in list',
    [open, [{ type: 'error', error: { type: 'overloaded_error', message: 'x' } }]],
    { stop: 'error', failure: 'overloaded' },
  ],
  [
    'bare message with code',
    [open, { message: 'Internal error', code: 500 }],
    { stop: 'error', failure: 'server_error' },
  ],
  [
    'bedrock exception',
    [open, { type: 'error', message: 'Too many requests', code: 429 }],
    { stop: 'error', failure: 'rate_limited' },
  ],
  [
    'gemini style error',
    [open, { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota' } }],
    { stop: 'error', failure: 'rate_limited' },
  ],
  [
    'one piece',
    JSON.stringify({
      type: 'message',
      id: 'm',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 9, output_tokens: 7 },
    }),
    { ...hi, usage: [9, 7, 0, 0] },
  ],
  [
    'one piece with tool',
    JSON.stringify({
      type: 'message',
      content: [{ type: 'tool_use', id: 't', name: 'Read', input: { f: 1 } }],
      stop_reason: 'tool_use',
      usage: { input_tokens: 9, output_tokens: 7 },
    }),
    { ...one, usage: [9, 7, 0, 0] },
  ],
  [
    'one piece refused',
    JSON.stringify({ type: 'message', content: [], stop_reason: 'refusal' }),
    { stop: 'refusal', failure: 'refused' },
  ],
  ['one piece string content', JSON.stringify({ type: 'message', content: 'Hi', stop_reason: 'end_turn' }), hi],
  [
    'chat chunks by mistake',
    [
      { object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] },
      '[DONE]',
    ],
    { stop: 'error', failure: 'stream_broken' },
  ],
  [
    'usage cumulative in several deltas',
    [
      open,
      ...txt(0, 'Hi'),
      ends('end_turn', { output_tokens: 3 }),
      { type: 'message_delta', delta: {}, usage: { output_tokens: 7, cache_read_input_tokens: 4 } },
      closed,
    ],
    { ...hi, usage: [9, 7, 4, 0] },
  ],
  [
    'thinking with only signature delta before text',
    [
      open,
      starts(0, { type: 'thinking', thinking: '' }),
      grows(0, { type: 'signature_delta', signature: 's' }),
      stops(0),
      ...txt(1, 'Hi'),
      ends('end_turn'),
      closed,
    ],
    hi,
  ],
  [
    'index as text',
    [
      open,
      starts('0', { type: 'text', text: '' }),
      grows('0', { type: 'text_delta', text: 'Hi' }),
      stops('0'),
      ends('end_turn'),
      closed,
    ],
    hi,
  ],
  [
    'tool name with null id then text',
    [
      open,
      starts(0, { type: 'tool_use', id: null, name: 'Read', input: {} }),
      grows(0, { type: 'input_json_delta', partial_json: '{"f":1}' }),
      stops(0),
      ends('tool_use'),
      closed,
    ],
    one,
  ],
  ['stop_reason in capitals', [open, ...txt(0, 'Hi'), ends('MAX_TOKENS'), closed], { stop: 'max_tokens', text: 'Hi' }],
  ['stop reason length (gateway)', [open, ...txt(0, 'Hi'), ends('length'), closed], { stop: 'max_tokens', text: 'Hi' }],
  [
    'stop reason tool_calls',
    [
      open,
      starts(0, { type: 'tool_use', id: 't', name: 'Read', input: { f: 1 } }),
      stops(0),
      ends('tool_calls'),
      closed,
    ],
    one,
  ],
  [
    'content_filter',
    [open, ...txt(0, 'Hi'), ends('content_filter'), closed],
    { stop: 'refusal', failure: 'refused', text: 'Hi' },
  ],
  [
    'all of it in message_start',
    [begun([{ type: 'text', text: 'Hi' }, read(1)]), ends('tool_use'), closed],
    { ...one, text: 'Hi' },
  ],
  [
    'message_start with words and a reason',
    [begun('Hi', { stop_reason: 'max_tokens' }), closed],
    { ...hi, stop: 'max_tokens' },
  ],
  [
    'message_start with a refusal',
    [begun([], { stop_reason: 'refusal' }), closed],
    { stop: 'refusal', failure: 'refused' },
  ],
  [
    'all of it in message_start and again in pieces',
    [
      begun([{ type: 'text', text: 'Hi' }, read(1)]),
      ...txt(0, 'Hi'),
      starts(1, read({})),
      grows(1, { type: 'input_json_delta', partial_json: '{"f":1}' }),
      stops(1),
      ends('tool_use'),
      closed,
    ],
    { ...one, text: 'Hi' },
  ],
  [
    'the first blocks in message_start, the others after them',
    [
      begun([
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'Hi' },
      ]),
      starts(2, read(1)),
      stops(2),
      ends('tool_use'),
      closed,
    ],
    { ...one, thinking: 'hm', text: 'Hi' },
  ],
  [
    'blocks that begin in message_start and grow',
    [
      begun([{ type: 'text', text: '' }, read({})]),
      grows(0, { type: 'text_delta', text: 'Hi' }),
      stops(0),
      grows(1, { type: 'input_json_delta', partial_json: '{"f":1}' }),
      stops(1),
      ends('tool_use'),
      closed,
    ],
    { ...one, text: 'Hi' },
  ],
  [
    'a block of message_start whose arguments end half way',
    [begun([read({})]), grows(0, { type: 'input_json_delta', partial_json: '{"f":' }), ends('tool_use'), closed],
    { stop: 'error', failure: 'stream_broken' },
  ],
  ['message_start with nonsense for content', [begun([null, 7, {}]), ...txt(0, 'Hi'), ends('end_turn'), closed], hi],
  [
    'writing to the cache in detail alone',
    [
      begun([], {
        usage: { input_tokens: 9, cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 3 } },
      }),
      ...txt(0, 'Hi'),
      ends('end_turn'),
      closed,
    ],
    { ...hi, usage: [9, 7, 0, 5] },
  ],
  [
    'writing to the cache as a sum and in detail',
    [
      begun([], {
        usage: { input_tokens: 9, cache_creation_input_tokens: 5, cache_creation: { ephemeral_5m_input_tokens: 5 } },
      }),
      ...txt(0, 'Hi'),
      ends('end_turn', { cache_creation: 'x' }),
      closed,
    ],
    { ...hi, usage: [9, 7, 0, 5] },
  ],
]
