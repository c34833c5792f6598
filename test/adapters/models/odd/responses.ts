import type { Odd } from '../support/odd-answer.ts'

/** Answers of the Responses API, and of servers that imitate it. */

const event = (type: string, more: object = {}): object => ({ type: `response.${type}`, ...more })
const created = event('created', { response: { id: 'resp_1', status: 'in_progress', output: [] } })
const added = (output_index: unknown, item: object): object => event('output_item.added', { output_index, item })
const finished = (output_index: unknown, item: object): object => event('output_item.done', { output_index, item })
const delta = (output_index: unknown, text: unknown): object =>
  event('output_text.delta', { output_index, content_index: 0, item_id: 'msg_1', delta: text })
const usage = { input_tokens: 9, output_tokens: 7, input_tokens_details: { cached_tokens: 4 } }
const reply = (output: readonly object[], more: object = {}): object => ({
  id: 'resp_1',
  status: 'completed',
  output,
  usage,
  ...more,
})
const completed = (output: readonly object[] = [], more: object = {}): object =>
  event('completed', { response: reply(output, more) })
const incomplete = (reason: unknown, output: readonly object[] = []): object =>
  event('incomplete', {
    response: reply(output, { status: 'incomplete', incomplete_details: reason === undefined ? null : { reason } }),
  })

const message = (text: string, more: object = {}): object => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
  ...more,
})
const call = (call_id: unknown, args: unknown, more: object = {}): object => ({
  type: 'function_call',
  id: 'fc_1',
  call_id,
  name: 'Read',
  arguments: args,
  status: 'completed',
  ...more,
})
const begun = (output_index: unknown, call_id: unknown): object =>
  added(output_index, call(call_id, '', { status: 'in_progress' }))
const args = (output_index: unknown, piece: unknown): object =>
  event('function_call_arguments.delta', { output_index, delta: piece })
const argsDone = (output_index: unknown, all: unknown): object =>
  event('function_call_arguments.done', { output_index, arguments: all })
const reasoning = (text: string): object => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text }],
  encrypted_content: 'zz',
})

const hi = { stop: 'end', text: 'Hi' } as const
const broken = { stop: 'error', failure: 'stream_broken' } as const
const a = ['Read', { f: 1 }] as const
const b = ['Read', { f: 2 }] as const
const one = { stop: 'tools', calls: [a] } as const
const both = { stop: 'tools', calls: [a, b] } as const

const calls: readonly Odd[] = [
  ['only in the whole response', [created, completed([call('x', '{"f":1}')])], one],
  ['only finished, never begun', [created, finished(0, call('x', '{"f":1}')), completed()], one],
  [
    'finished by its arguments only',
    [created, begun(0, 'x'), args(0, '{"f":'), argsDone(0, '{"f":1}'), completed()],
    one,
  ],
  ['begun and in pieces, never finished', [created, begun(0, 'x'), args(0, '{"f":1}'), completed()], one],
  ['begun, in pieces that are cut, never finished', [created, begun(0, 'x'), args(0, '{"f":'), completed()], broken],
  ['begun and never heard of again', [created, begun(0, 'x'), completed()], broken],
  [
    'two, their pieces mixed',
    [
      created,
      begun(0, 'x'),
      begun(1, 'y'),
      args(1, '{"f"'),
      args(0, '{"f":1}'),
      args(1, ':2}'),
      finished(1, call('y', '{"f":2}')),
      finished(0, call('x', '{"f":1}')),
      completed(),
    ],
    both,
  ],
  ['two of one id', [created, finished(0, call('x', '{"f":1}')), finished(1, call('x', '{"f":2}')), completed()], both],
  [
    'without an id',
    [created, finished(0, call(undefined, '{"f":1}')), finished(1, call('', '{"f":2}')), completed()],
    both,
  ],
  [
    'with an id that changes',
    [created, begun(0, 'x'), finished(0, call('y', '{"f":1}')), completed([call('y', '{"f":1}')])],
    one,
  ],
  ['arguments that are an object', [created, finished(0, call('x', { f: 1 })), completed()], one],
  [
    'arguments that are null',
    [created, finished(0, call('x', null)), completed()],
    { stop: 'tools', calls: [['Read', {}]] },
  ],
  [
    'arguments only in pieces',
    [created, begun(0, 'x'), args(0, '{"f":1}'), finished(0, call('x', undefined)), completed()],
    one,
  ],
  [
    'arguments that are no JSON',
    [created, finished(0, call('x', '{f}')), completed()],
    { stop: 'tools', malformed: ['{f}'] },
  ],
  ['a piece that is an object', [created, begun(0, 'x'), args(0, { f: 1 }), completed()], one],
  ['pieces for a call that never began', [created, args(4, '{"f":1}'), delta(0, 'Hi'), completed()], hi],
  [
    'no place anywhere',
    [
      created,
      begun(undefined, 'x'),
      args(undefined, '{"f":1}'),
      finished(undefined, call('x', '{"f":1}')),
      added(undefined, message('')),
      delta(undefined, 'Hi'),
      finished(undefined, message('Hi')),
      completed(),
    ],
    { stop: 'tools', text: 'Hi', calls: [a] },
  ],
  [
    'cut by the limit',
    [
      created,
      begun(0, 'x'),
      args(0, '{"f":'),
      finished(0, call('x', '{"f":', { status: 'incomplete' })),
      incomplete('max_output_tokens'),
    ],
    { stop: 'max_tokens' },
  ],
  [
    'whole before the limit',
    [created, finished(0, call('x', '{"f":1}')), incomplete('max_output_tokens')],
    { stop: 'max_tokens', calls: [a] },
  ],
  ['before the end is lost', [created, finished(0, call('x', '{"f":1}'))], broken],
  [
    'with text before it',
    [created, delta(0, 'Hi'), finished(0, message('Hi')), finished(1, call('x', '{"f":1}')), completed()],
    { stop: 'tools', text: 'Hi', calls: [a] },
  ],
]

const words: readonly Odd[] = [
  ['only in the whole response', [created, completed([message('Hi')])], hi],
  ['only finished', [created, finished(0, message('Hi')), completed()], hi],
  ['only in pieces', [created, delta(0, 'H'), delta(0, 'i'), completed()], hi],
  [
    'the finished text says more than the pieces',
    [created, delta(0, 'H'), finished(0, message('Hi')), completed()],
    hi,
  ],
  ['the finished text is another one', [created, delta(0, 'Ho'), finished(0, message('Hi')), completed()], hi],
  [
    'a text that is done without pieces',
    [created, added(0, message('')), event('output_text.done', { output_index: 0, text: 'Hi' }), completed()],
    hi,
  ],
  [
    'two parts',
    [
      created,
      finished(
        0,
        message('', {
          content: [
            { type: 'output_text', text: 'H' },
            { type: 'output_text', text: 'i' },
          ],
        }),
      ),
      completed(),
    ],
    hi,
  ],
  ['content that is a text', [created, finished(0, message('', { content: 'Hi' })), completed()], hi],
  ['content that is null', [created, delta(0, 'Hi'), finished(0, message('', { content: null })), completed()], hi],
  ['a piece that is null', [created, delta(0, null), delta(0, 'Hi'), completed()], hi],
  ['a piece before its message began', [created, delta(0, 'H'), added(0, message('')), delta(0, 'i'), completed()], hi],
  [
    'ids that change midway',
    [
      created,
      added(0, message('', { id: 'm1' })),
      delta(0, 'Hi'),
      finished(0, message('Hi', { id: 'm2' })),
      completed([message('Hi', { id: 'm3' })]),
    ],
    hi,
  ],
  [
    'annotations',
    [
      created,
      delta(0, 'Hi'),
      event('output_text.annotation.added', { output_index: 0, annotation: { type: 'url_citation' } }),
      finished(0, message('Hi')),
      completed(),
    ],
    hi,
  ],
  [
    'an output that is null at the end',
    [created, delta(0, 'Hi'), event('completed', { response: { status: 'completed', output: null, usage } })],
    hi,
  ],
  ['no response at the end', [created, delta(0, 'Hi'), event('completed')], hi],
]

const thoughts: readonly Odd[] = [
  [
    'a summary in two parts',
    [
      created,
      added(0, reasoning('')),
      event('reasoning_summary_part.added', { output_index: 0, summary_index: 0 }),
      event('reasoning_summary_text.delta', { output_index: 0, summary_index: 0, delta: 'a' }),
      event('reasoning_summary_part.added', { output_index: 0, summary_index: 1 }),
      event('reasoning_summary_text.delta', { output_index: 0, summary_index: 1, delta: 'b' }),
      finished(1, message('Hi')),
      completed(),
    ],
    { ...hi, thinking: 'a\n\nb' },
  ],
  [
    'thinking in the open (local servers)',
    [created, event('reasoning_text.delta', { output_index: 0, delta: 'hm' }), finished(1, message('Hi')), completed()],
    { ...hi, thinking: 'hm' },
  ],
  [
    'only in the finished item',
    [created, finished(0, reasoning('hm')), finished(1, message('Hi')), completed()],
    { ...hi, thinking: 'hm' },
  ],
  [
    'a summary that is null',
    [
      created,
      finished(0, { type: 'reasoning', id: 'rs', summary: null, encrypted_content: 'zz' }),
      finished(1, message('Hi')),
      completed(),
    ],
    hi,
  ],
  [
    'thinking in the content of the finished item',
    [
      created,
      finished(0, { type: 'reasoning', id: 'rs', summary: [], content: [{ type: 'reasoning_text', text: 'hm' }] }),
      finished(1, message('Hi')),
      completed(),
    ],
    { ...hi, thinking: 'hm' },
  ],
  [
    'tools of the server',
    [
      created,
      added(0, { type: 'web_search_call', id: 'ws' }),
      event('web_search_call.searching', { output_index: 0 }),
      finished(0, { type: 'web_search_call', id: 'ws', status: 'completed' }),
      finished(1, message('Hi')),
      completed(),
    ],
    { ...hi, items: ['web_search_call'] },
  ],
  [
    'an item of tomorrow',
    [created, finished(0, { type: 'hologram' }), finished(1, message('Hi')), completed()],
    { ...hi, items: ['hologram'] },
  ],
  [
    'an event of tomorrow',
    [created, event('hologram.turned', { output_index: 0 }), finished(0, message('Hi')), completed()],
    hi,
  ],
  ['keep alive', [created, { type: 'keepalive', sequence_number: 3 }, finished(0, message('Hi')), completed()], hi],
]

const endings: readonly Odd[] = [
  ['no end', [created, finished(0, message('Hi'))], { ...broken, text: 'Hi' }],
  ['[DONE] for an end', [created, finished(0, message('Hi')), '[DONE]'], { ...broken, text: 'Hi' }],
  ['[DONE] after the end', [created, finished(0, message('Hi')), completed(), '[DONE]'], hi],
  [
    'an error after the end',
    [created, finished(0, message('Hi')), completed(), { type: 'error', message: 'late' }],
    hi,
  ],
  ['nothing said', [created, completed()], { stop: 'end' }],
  [
    'incomplete: the limit',
    [created, delta(0, 'Hi'), incomplete('max_output_tokens')],
    { stop: 'max_tokens', text: 'Hi' },
  ],
  [
    'incomplete: the filter',
    [created, delta(0, 'Hi'), incomplete('content_filter')],
    { stop: 'refusal', failure: 'refused', text: 'Hi' },
  ],
  ['incomplete: no reason', [created, delta(0, 'Hi'), incomplete(undefined)], { stop: 'max_tokens', text: 'Hi' }],
  [
    'incomplete: a reason of tomorrow',
    [created, delta(0, 'Hi'), incomplete('solar_flare')],
    { stop: 'max_tokens', text: 'Hi' },
  ],
  [
    'a refusal in pieces',
    [
      created,
      event('refusal.delta', { output_index: 0, delta: 'I ' }),
      event('refusal.delta', { output_index: 0, delta: 'will not.' }),
      completed(),
    ],
    { stop: 'refusal', failure: 'refused' },
  ],
  [
    'a refusal that is only done',
    [created, event('refusal.done', { output_index: 0, refusal: 'No.' }), completed()],
    { stop: 'refusal', failure: 'refused' },
  ],
  [
    'a refusal only in the whole response',
    [created, completed([message('', { content: [{ type: 'refusal', refusal: 'No.' }] })])],
    { stop: 'refusal', failure: 'refused' },
  ],
  [
    'a refusal that is null',
    [
      created,
      finished(0, message('Hi', { content: [{ type: 'output_text', text: 'Hi', refusal: null }] })),
      completed(),
    ],
    hi,
  ],
]

const failed = (code: string | null, said = 'it went wrong'): object =>
  event('failed', {
    response: { status: 'failed', output: [], error: code === null ? null : { code, message: said }, usage },
  })
const errors: readonly Odd[] = [
  ...(
    [
      ['server_error', 'server_error'],
      ['rate_limit_exceeded', 'rate_limited'],
      ['invalid_prompt', 'invalid_request'],
      ['invalid_image', 'invalid_request'],
      ['image_too_large', 'invalid_request'],
      ['unsupported_image_media_type', 'invalid_request'],
      ['image_content_policy_violation', 'refused'],
      ['context_length_exceeded', 'context_exceeded'],
      ['insufficient_quota', 'forbidden'],
      ['vector_store_timeout', 'timed_out'],
      ['code_of_tomorrow', 'server_error'],
    ] as const
  ).map(([code, failure]): Odd => [
    `failed: ${code}`,
    [created, delta(0, 'Hi'), failed(code)],
    { stop: 'error', failure, text: 'Hi', usage: [5, 7, 4, 0] },
  ]),
  [
    'failed, the reason beside the response (Perplexity)',
    [created, event('failed', { error: { code: 'rate_limit_exceeded', message: 'Slow down' } })],
    { stop: 'error', failure: 'rate_limited' },
  ],
  ['failed without a reason', [created, failed(null)], { stop: 'error', failure: 'server_error' }],
  [
    'cancelled',
    [created, delta(0, 'Hi'), event('cancelled', { response: { status: 'cancelled' } })],
    { ...broken, text: 'Hi' },
  ],
  [
    'completed with an error inside',
    [created, completed([], { error: { code: 'server_error', message: 'no' } })],
    { stop: 'error', failure: 'server_error' },
  ],
  [
    'completed though it failed',
    [created, completed([], { status: 'failed' })],
    { stop: 'error', failure: 'server_error' },
  ],
  [
    'an error, flat',
    [created, { type: 'error', code: 'rate_limit_exceeded', message: 'slow down', param: null }],
    { stop: 'error', failure: 'rate_limited' },
  ],
  [
    'an error, wrapped',
    [
      created,
      { type: 'error', error: { type: 'invalid_request_error', code: 'context_length_exceeded', message: 'too long' } },
    ],
    { stop: 'error', failure: 'context_exceeded' },
  ],
  [
    'an error without its type',
    [created, { error: { message: 'busy', code: 503 } }],
    { stop: 'error', failure: 'overloaded' },
  ],
  [
    'an error after a whole call',
    [created, finished(0, call('x', '{"f":1}')), failed('server_error')],
    { stop: 'error', failure: 'server_error' },
  ],
  ['an event that is cut JSON', [created, delta(0, 'Hi'), '{"type":"respon'], { ...broken, text: 'Hi' }],
  [
    'a good status with an error in JSON',
    JSON.stringify({ error: { message: 'no such model', code: 'model_not_found' } }),
    { stop: 'error', failure: 'not_found' },
  ],
  [
    'a good status with a failed response in JSON',
    JSON.stringify(reply([], { status: 'failed', error: { code: 'server_error', message: 'no' } })),
    { stop: 'error', failure: 'server_error' },
  ],
  ['a good status with nothing', '', broken],
]

const json = [created, delta(0, 'Hi'), completed()].map((one_) => JSON.stringify(one_))
const frames: readonly Odd[] = [
  ['in one piece', JSON.stringify(reply([message('Hi')])), { ...hi, usage: [5, 7, 4, 0] }],
  [
    'in one piece, cut by the limit',
    JSON.stringify(
      reply([message('Hi')], { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }),
    ),
    { stop: 'max_tokens', text: 'Hi' },
  ],
  ['in one piece without a status', JSON.stringify(reply([message('Hi')], { status: undefined })), hi],
  [
    'names, carriage returns and comments',
    json.map((data) => `: hm\r\nevent: x\r\ndata: ${data}\r\n\r\n`).join(''),
    hi,
  ],
  ['blank data and nulls', json.map((data) => `data:\n\ndata: null\n\ndata: 7\n\ndata: ${data}\n\n`).join(''), hi],
  [
    'counts that are missing',
    [created, finished(0, message('Hi')), completed([], { usage: null })],
    { ...hi, usage: [0, 0, 0, 0] },
  ],
]

export const responsesOdd: readonly Odd[] = [...calls, ...words, ...thoughts, ...endings, ...errors, ...frames]
