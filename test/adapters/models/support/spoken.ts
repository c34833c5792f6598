/** One answer in the words of each wire: it thinks, says four words and calls `Read`. */

const words = ['One ', 'two ', 'three ', 'four.']
const args = ['{"file_', 'path":"a.', 'txt"}']

const block = (index: number, content_block: unknown, deltas: readonly unknown[]): readonly unknown[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]

const anthropicWords = block(
  1,
  { type: 'text', text: '' },
  words.map((text) => ({ type: 'text_delta', text })),
)

const anthropicStart = {
  type: 'message_start',
  message: { id: 'msg_1', usage: { input_tokens: 7, output_tokens: 1, cache_read_input_tokens: 3 } },
}

export const anthropicSpoken: readonly unknown[] = [
  anthropicStart,
  { type: 'ping' },
  ...block(0, { type: 'thinking', thinking: '' }, [
    { type: 'thinking_delta', thinking: 'Let me ' },
    { type: 'thinking_delta', thinking: 'see.' },
    { type: 'signature_delta', signature: 'sig' },
  ]),
  ...anthropicWords,
  ...block(
    2,
    { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} },
    args.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  ),
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
]

export const anthropicHanging: readonly unknown[] = [anthropicStart, ...anthropicWords.slice(0, -1)]

const choice = (delta: unknown, finish_reason: string | null = null): unknown => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const callPiece = (piece: unknown): unknown => choice({ tool_calls: [{ index: 0, ...(piece as object) }] })
const chatWords = words.map((content) => choice({ content }))

export const chatSpoken: readonly unknown[] = [
  choice({ reasoning_content: 'Let me ' }),
  choice({ reasoning_content: 'see.' }),
  ...chatWords,
  callPiece({ id: 'call_1', type: 'function', function: { name: 'Read', arguments: '' } }),
  ...args.map((piece) => callPiece({ function: { arguments: piece } })),
  choice({}, 'tool_calls'),
  { choices: [], usage: { prompt_tokens: 10, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 3 } } },
  '[DONE]',
]

export const chatHanging = chatWords

const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' }
const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'Read' }
const message = { type: 'message', id: 'm_1', role: 'assistant' }

const responsesWords: readonly unknown[] = [
  { type: 'response.output_item.added', output_index: 1, item: { ...message, content: [] } },
  ...words.map((delta) => ({ type: 'response.output_text.delta', output_index: 1, delta })),
]

export const responsesSpoken: readonly unknown[] = [
  { type: 'response.created', response: { status: 'in_progress' } },
  { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: 'rs_1', summary: [] } },
  ...['Let me ', 'see.'].map((delta) => ({ type: 'response.reasoning_summary_text.delta', output_index: 0, delta })),
  {
    type: 'response.output_item.done',
    output_index: 0,
    item: { ...reasoning, summary: [{ type: 'summary_text', text: 'Let me see.' }] },
  },
  ...responsesWords,
  { type: 'response.output_item.added', output_index: 2, item: { ...call, arguments: '' } },
  ...args.map((delta) => ({ type: 'response.function_call_arguments.delta', output_index: 2, delta })),
  { type: 'response.output_item.done', output_index: 2, item: { ...call, arguments: args.join('') } },
  {
    type: 'response.completed',
    response: {
      status: 'completed',
      usage: { input_tokens: 10, input_tokens_details: { cached_tokens: 3 }, output_tokens: 9 },
    },
  },
]

export const responsesHanging = responsesWords
