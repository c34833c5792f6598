import type { Odd } from '../support/odd-answer.ts'

/** Chat completions as OpenAI sends them, and as those do who imitate it. */

const choice = (delta: unknown, finish_reason?: unknown, more: object = {}): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, ...(finish_reason === undefined ? {} : { finish_reason }), ...more }],
})
const says = (content: unknown): object => choice({ content }, null)
const pieces = (...tool_calls: readonly unknown[]): object => choice({ tool_calls }, null)
const piece = (index: unknown, id: unknown, name: unknown, args: unknown): object => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id, type: 'function' }),
  function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
})
const done = '[DONE]'
const stop = choice({}, 'stop')
const called = (...chunks: readonly unknown[]): unknown[] => [...chunks, choice({}, 'tool_calls'), done]
const usage = { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16 }

const hi = { stop: 'end', text: 'Hi' } as const
const broken = { stop: 'error', failure: 'stream_broken' } as const
const a = ['Read', { f: 1 }] as const
const b = ['Read', { f: 2 }] as const
const both = { stop: 'tools', calls: [a, b] } as const
const one = { stop: 'tools', calls: [a] } as const

const calls: readonly Odd[] = [
  [
    'pieces of two calls mixed',
    called(
      pieces(piece(0, 'x', 'Read', ''), piece(1, 'y', 'Read', '')),
      pieces(piece(1, undefined, undefined, '{"f":')),
      pieces(piece(0, undefined, undefined, '{"f":1}')),
      pieces(piece(1, undefined, undefined, '2}')),
    ),
    both,
  ],
  [
    'no index, an id each',
    called(pieces(piece(undefined, 'x', 'Read', '{"f":1}')), pieces(piece(undefined, 'y', 'Read', '{"f":2}'))),
    both,
  ],
  [
    'no index and no ids, side by side (Ollama)',
    called(pieces(piece(undefined, undefined, 'Read', '{"f":1}'), piece(undefined, undefined, 'Read', '{"f":2}'))),
    both,
  ],
  [
    'no index and no ids, one after the other',
    called(
      pieces(piece(undefined, undefined, 'Read', '{"f":1}')),
      pieces(piece(undefined, undefined, 'Read', '{"f":2}')),
    ),
    both,
  ],
  [
    'no index and no ids, in pieces',
    called(
      pieces(piece(undefined, undefined, 'Read', '{"f"')),
      pieces(piece(undefined, undefined, undefined, ':1}')),
      pieces(piece(undefined, undefined, 'Read', '{"f":2}')),
    ),
    both,
  ],
  [
    'every index zero and no ids',
    called(pieces(piece(0, undefined, 'Read', '{"f":1}')), pieces(piece(0, undefined, 'Read', '{"f":2}'))),
    both,
  ],
  [
    'every index zero, an id each',
    called(pieces(piece(0, 'x', 'Read', '{"f":1}')), pieces(piece(0, 'y', 'Read', '{"f":2}'))),
    both,
  ],
  [
    'an index that is a text',
    called(pieces(piece('0', 'x', 'Read', '{"f":')), pieces(piece(0, undefined, undefined, '1}'))),
    one,
  ],
  [
    'an index that is null',
    called(pieces(piece(null, 'x', 'Read', '{"f":')), pieces(piece(null, undefined, undefined, '1}'))),
    one,
  ],
  [
    'indexes that begin with one',
    called(pieces(piece(1, 'x', 'Read', '{"f":1}')), pieces(piece(2, 'y', 'Read', '{"f":2}'))),
    both,
  ],
  [
    'two calls of one id',
    called(pieces(piece(0, 'x', 'Read', '{"f":1}')), pieces(piece(1, 'x', 'Read', '{"f":2}'))),
    both,
  ],
  [
    'ids that are empty',
    called(pieces(piece(0, '', 'Read', '{"f":1}')), pieces(piece(1, '', 'Read', '{"f":2}'))),
    both,
  ],
  ['an id that is a number', called(pieces(piece(0, 7, 'Read', '{"f":1}'))), one],
  [
    'an id that comes late',
    called(pieces(piece(0, undefined, 'Read', '{"f":')), pieces(piece(0, 'x', undefined, '1}'))),
    one,
  ],
  [
    'an id and a name that come with every piece',
    called(
      pieces(piece(0, 'x', 'Read', '{"f":')),
      pieces(piece(0, 'x', 'Read', '1}')),
      pieces(piece(0, 'x', 'Read', '')),
    ),
    one,
  ],
  [
    'another id with every piece',
    called(pieces(piece(0, 'x', 'Read', '{"f":')), pieces(piece(0, 'y', undefined, '1}'))),
    one,
  ],
  [
    'a name in two pieces',
    called(
      pieces(piece(0, 'x', 'Re', undefined)),
      pieces(piece(0, undefined, 'ad', undefined)),
      pieces(piece(0, undefined, undefined, '{"f":1}')),
    ),
    one,
  ],
  [
    'a name in pieces, each with the id',
    called(pieces(piece(0, 'x', 'Re', '')), pieces(piece(0, 'x', 'ad', '')), pieces(piece(0, 'x', '', '{"f":1}'))),
    one,
  ],
  [
    'a name after the arguments began',
    called(pieces(piece(0, 'x', undefined, '{"f":')), pieces(piece(0, undefined, 'Read', '1}'))),
    one,
  ],
  [
    'an empty name before the real one, the arguments between (vLLM)',
    called(pieces(piece(0, 'x', '', '{"f"')), pieces(piece(0, 'x', '', ':1}')), pieces(piece(0, 'x', 'Read', ''))),
    one,
  ],
  [
    'whole arguments, then the name',
    called(pieces(piece(0, undefined, undefined, '{"f":1}')), pieces(piece(0, undefined, 'Read', ''))),
    one,
  ],
  [
    'an id without a function, then the rest without the id (vLLM)',
    called(pieces({ index: 0, id: 'x', type: 'function', function: null }), pieces(piece(0, null, 'Read', '{"f":1}'))),
    one,
  ],
  [
    'a name that is null in later pieces',
    called(pieces(piece(0, 'x', 'Read', '')), pieces(piece(0, null, null, '{"f":1}'))),
    one,
  ],
  ['arguments that are an object', called(pieces(piece(0, 'x', 'Read', { f: 1 }))), one],
  ['arguments that are null', called(pieces(piece(0, 'x', 'Read', null))), { stop: 'tools', calls: [['Read', {}]] }],
  ['no arguments', called(pieces(piece(0, 'x', 'Read', undefined))), { stop: 'tools', calls: [['Read', {}]] }],
  [
    'arguments begun with an empty object',
    called(pieces(piece(0, 'x', 'Read', '{}')), pieces(piece(0, undefined, undefined, '{"f":1}'))),
    one,
  ],
  ['arguments as JSON in a text in JSON', called(pieces(piece(0, 'x', 'Read', '"{\\"f\\":1}"'))), one],
  [
    'arguments that are no JSON',
    called(pieces(piece(0, 'x', 'Read', "{'f':1}"))),
    { stop: 'tools', malformed: ["{'f':1}"] },
  ],
  [
    'arguments cut by the limit',
    [pieces(piece(0, 'x', 'Read', '{"f":')), choice({}, 'length'), done],
    { stop: 'max_tokens' },
  ],
  ['a call with nothing in it', called(pieces(piece(0, 'x', 'Read', '{"f":1}')), pieces({ index: 1 })), one],
  ['no function in a piece', called(pieces(piece(0, 'x', 'Read', '{"f":1}')), pieces({ index: 0, id: 'x' })), one],
  [
    'a list of calls that is null',
    called(choice({ content: null, tool_calls: null }, null), pieces(piece(0, 'x', 'Read', '{"f":1}'))),
    one,
  ],
  [
    'a call though the reason is stop',
    [pieces(piece(0, 'x', 'Read', '{"f":1}')), stop, done],
    { stop: 'end', calls: [a] },
  ],
  [
    'a call in the older spelling',
    [
      choice({ function_call: { name: 'Read', arguments: '{"f":' } }, null),
      choice({ function_call: { arguments: '1}' } }, null),
      choice({}, 'function_call'),
      done,
    ],
    one,
  ],
  ['the reason function_call', [pieces(piece(0, 'x', 'Read', '{"f":1}')), choice({}, 'function_call'), done], one],
  [
    'a call with the reason in the same chunk',
    [choice({ tool_calls: [piece(0, 'x', 'Read', '{"f":1}')] }, 'tool_calls'), done],
    one,
  ],
  ['a call after the reason', [choice({}, 'tool_calls'), pieces(piece(0, 'x', 'Read', '{"f":1}')), done], one],
  ['a call without an end', [pieces(piece(0, 'x', 'Read', '{"f":1}'))], broken],
]

const words: readonly Odd[] = [
  ['a first chunk with the role only', [choice({ role: 'assistant' }, null), says('Hi'), stop, done], hi],
  [
    'the role with every chunk',
    [choice({ role: 'assistant', content: 'H' }, null), choice({ role: 'assistant', content: 'i' }, null), stop, done],
    hi,
  ],
  ['contents that are null and empty', [says(null), says(''), says('Hi'), stop, done], hi],
  ['no choices (Azure)', [{ choices: [], prompt_filter_results: [{ prompt_index: 0 }] }, says('Hi'), stop, done], hi],
  ['choices that are null', [{ choices: null }, says('Hi'), stop, done], hi],
  [
    'a filter without a delta (Azure)',
    [
      says('Hi'),
      { choices: [{ index: 0, finish_reason: null, content_filter_results: {}, content_filter_offsets: {} }] },
      stop,
      done,
    ],
    hi,
  ],
  ['a delta that is null', [choice(null), says('Hi'), stop, done], hi],
  [
    'a whole message in the stream',
    [{ choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }] }, done],
    hi,
  ],
  [
    'a message that repeats the deltas (Perplexity)',
    [
      choice({ content: 'H' }, null, { message: { content: 'H' } }),
      choice({ content: 'i' }, 'stop', { message: { content: 'Hi' } }),
      done,
    ],
    hi,
  ],
  [
    'another choice that nobody asked for',
    [says('Hi'), { choices: [{ index: 1, delta: { content: 'Ho' } }] }, stop, done],
    hi,
  ],
  [
    'content in parts',
    [
      says([
        { type: 'text', text: 'H' },
        { type: 'text', text: 'i' },
      ]),
      stop,
      done,
    ],
    hi,
  ],
  [
    'parts with thinking that is a text',
    [
      says([
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'Hi' },
      ]),
      stop,
      done,
    ],
    { ...hi, thinking: 'hm' },
  ],
  ['parts that are null', [says([null, { type: 'text', text: 'Hi' }]), stop, done], hi],
  [
    'text and a call',
    called(says('Hi'), pieces(piece(0, 'x', 'Read', '{"f":1}'))),
    { stop: 'tools', text: 'Hi', calls: [a] },
  ],
  ['an object for content', [says({ odd: true }), says('Hi'), stop, done], hi],
]

const thoughts: readonly Odd[] = [
  [
    'reasoning_content, then content null (DeepSeek)',
    [
      choice({ content: null, reasoning_content: 'hm' }),
      choice({ content: 'Hi', reasoning_content: null }),
      stop,
      done,
    ],
    { ...hi, thinking: 'hm' },
  ],
  ['reasoning (vLLM, Ollama)', [choice({ reasoning: 'hm' }), says('Hi'), stop, done], { ...hi, thinking: 'hm' }],
  [
    'reasoning in both fields',
    [choice({ reasoning: 'hm', reasoning_content: 'hm' }), says('Hi'), stop, done],
    { ...hi, thinking: 'hm' },
  ],
  [
    'thinking and text in one chunk',
    [choice({ reasoning_content: 'hm', content: 'Hi' }), stop, done],
    { ...hi, thinking: 'hm' },
  ],
  [
    'thinking and a call in one chunk',
    called(choice({ reasoning_content: 'hm', tool_calls: [piece(0, 'x', 'Read', '{"f":1}')] })),
    { ...one, thinking: 'hm' },
  ],
  [
    'reasoning_details (OpenRouter)',
    [
      choice({ reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm', index: 0 }] }),
      says('Hi'),
      stop,
      done,
    ],
    { ...hi, thinking: 'hm' },
  ],
  ['reasoning_details that are null', [choice({ reasoning_details: null, content: 'Hi' }), stop, done], hi],
  ['reasoning that is an object', [choice({ reasoning: { effort: 'low' }, content: 'Hi' }), stop, done], hi],
  [
    'thinking alone, cut by the limit',
    [choice({ reasoning_content: 'hm' }), choice({}, 'length'), done],
    { stop: 'max_tokens', thinking: 'hm' },
  ],
]

const endings: readonly Odd[] = [
  ['no [DONE]', [says('Hi'), stop], hi],
  ['no reason, only [DONE]', [says('Hi'), done], hi],
  ['neither', [says('Hi')], { ...broken, text: 'Hi' }],
  ['only [DONE]', [done], broken],
  ['only counts and [DONE]', [{ choices: [], usage }, done], broken],
  ['a role, a reason and no word', [choice({ role: 'assistant', content: '' }, null), stop, done], { stop: 'end' }],
  [
    'a reason that is empty until the last',
    [choice({ content: 'H' }, ''), choice({ content: 'i' }, ''), stop, done],
    hi,
  ],
  ['the reason with every chunk', [choice({ content: 'H' }, 'stop'), choice({ content: 'i' }, 'stop'), done], hi],
  ['the reason twice', [says('Hi'), stop, choice({}, 'stop'), done], hi],
  ['a reason of tomorrow', [says('Hi'), choice({}, 'solar_flare'), done], hi],
  ['the reason length', [says('Hi'), choice({}, 'length'), done], { stop: 'max_tokens', text: 'Hi' }],
  [
    'the reason model_length (Mistral)',
    [says('Hi'), choice({}, 'model_length'), done],
    { stop: 'max_tokens', text: 'Hi' },
  ],
  [
    'the reason content_filter',
    [says('Hi'), choice({}, 'content_filter'), done],
    { stop: 'refusal', failure: 'refused', text: 'Hi' },
  ],
  [
    'a refusal in deltas',
    [choice({ refusal: 'I ' }), choice({ refusal: 'will not.' }), stop, done],
    { stop: 'refusal', failure: 'refused' },
  ],
  ['a refusal that is null all along', [choice({ content: 'Hi', refusal: null }), stop, done], hi],
  [
    'no resources left (DeepSeek)',
    [says('Hi'), choice({}, 'insufficient_system_resource'), done],
    { stop: 'error', failure: 'overloaded', text: 'Hi' },
  ],
  ['given up by the server (vLLM)', [says('Hi'), choice({}, 'abort'), done], { ...broken, text: 'Hi' }],
  ['chunks after [DONE]', [says('Hi'), stop, done, { error: { message: 'late' } }], hi],
  ['[DONE] with a space behind', `data: ${JSON.stringify(choice({ content: 'Hi' }, 'stop'))}\n\ndata: [DONE] \n\n`, hi],
]

const error = (said: unknown): object => ({ error: said })
const errors: readonly Odd[] = [
  ...(
    [
      [400, 'invalid_request'],
      [401, 'unauthorized'],
      [402, 'forbidden'],
      [403, 'forbidden'],
      [404, 'not_found'],
      [408, 'timed_out'],
      [429, 'rate_limited'],
      [500, 'server_error'],
      [502, 'server_error'],
      [503, 'overloaded'],
    ] as const
  ).map(([code, failure]): Odd => [
    `an error of code ${code} in the stream (OpenRouter)`,
    [says('Hi'), { ...choice({ content: '' }, 'error'), error: { code, message: 'Provider said no' } }],
    { stop: 'error', failure, text: 'Hi' },
  ]),
  [
    'an error that is a word',
    [says('Hi'), error('upstream gone')],
    { stop: 'error', failure: 'server_error', text: 'Hi' },
  ],
  ['an error that is null', [{ ...says('Hi'), error: null }, stop, done], hi],
  [
    'an error with [DONE] behind it',
    [error({ message: 'no', type: 'server_error' }), done],
    { stop: 'error', failure: 'server_error' },
  ],
  [
    'an error object (older vLLM)',
    [says('Hi'), { object: 'error', message: 'too much', type: 'BadRequestError', code: 400 }, done],
    { stop: 'error', failure: 'invalid_request', text: 'Hi' },
  ],
  [
    'an error in a field of its own (older llama.cpp)',
    `data: ${JSON.stringify(says('Hi'))}\n\nerror: {"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}\n\n`,
    { stop: 'error', failure: 'context_exceeded', text: 'Hi' },
  ],
  [
    'an error of length',
    [error({ message: "This model's maximum context length is 8192 tokens", code: 400 })],
    { stop: 'error', failure: 'context_exceeded' },
  ],
  [
    'a quota that is used up',
    [error({ message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' })],
    { stop: 'error', failure: 'forbidden' },
  ],
  [
    'an error after a whole call',
    [pieces(piece(0, 'x', 'Read', '{"f":1}')), error({ message: 'no' })],
    { stop: 'error', failure: 'server_error' },
  ],
  [
    'an error after the reason',
    [pieces(piece(0, 'x', 'Read', '{"f":1}')), choice({}, 'tool_calls'), error({ message: 'no' })],
    { stop: 'error', failure: 'server_error' },
  ],
  [
    'a good status with an error in JSON',
    JSON.stringify(error({ message: 'model not loaded', code: 503 })),
    { stop: 'error', failure: 'overloaded' },
  ],
  [
    'a good status with an error object in JSON',
    JSON.stringify({ object: 'error', message: 'no such model', type: 'NotFoundError', code: 404 }),
    { stop: 'error', failure: 'not_found' },
  ],
  [
    'a good status with a detail in JSON',
    JSON.stringify({ detail: 'Not here' }),
    { stop: 'error', failure: 'invalid_request' },
  ],
  ['a chunk that is cut JSON', [says('Hi'), '{"choices":[{"del'], { ...broken, text: 'Hi' }],
]

const counts: readonly Odd[] = [
  [
    'counts in a chunk without choices',
    [says('Hi'), stop, { choices: [], usage }, done],
    { ...hi, usage: [9, 7, 0, 0] },
  ],
  [
    'counts with every chunk',
    [{ ...says('Hi'), usage: { prompt_tokens: 9, completion_tokens: 1 } }, { ...stop, usage }, done],
    { ...hi, usage: [9, 7, 0, 0] },
  ],
  [
    'counts that become null',
    [{ ...says('Hi'), usage }, { ...stop, usage: null }, done],
    { ...hi, usage: [9, 7, 0, 0] },
  ],
  [
    'counts in the choice (Moonshot)',
    [says('Hi'), choice({}, 'stop', { usage }), done],
    { ...hi, usage: [9, 7, 0, 0] },
  ],
  [
    'counts of the cache beside the others (DeepSeek)',
    [says('Hi'), { ...stop, usage: { ...usage, prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 5 } }, done],
    { ...hi, usage: [5, 7, 4, 0] },
  ],
  [
    'details that are null',
    [says('Hi'), { ...stop, usage: { ...usage, prompt_tokens_details: null, completion_tokens_details: null } }, done],
    { ...hi, usage: [9, 7, 0, 0] },
  ],
  [
    'more cached than there was',
    [says('Hi'), { ...stop, usage: { ...usage, prompt_tokens_details: { cached_tokens: 99 } } }, done],
    { ...hi, usage: [0, 7, 99, 0] },
  ],
]

const whole = (message: object, finish_reason: unknown = 'stop'): string =>
  JSON.stringify({ object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage })
const text = (line: (json: string) => string): string =>
  [says('Hi'), stop].map((event) => line(JSON.stringify(event))).join('')

const frames: readonly Odd[] = [
  [
    'in one piece, with thinking',
    whole({ content: 'Hi', reasoning_content: 'hm' }),
    { ...hi, thinking: 'hm', usage: [9, 7, 0, 0] },
  ],
  ['in one piece, over several lines', JSON.stringify(JSON.parse(whole({ content: 'Hi' })), null, 2), hi],
  [
    'in one piece, with a call',
    whole({ content: null, tool_calls: [piece(undefined, 'x', 'Read', '{"f":1}')] }, 'tool_calls'),
    one,
  ],
  [
    'in one piece, with calls without ids',
    whole(
      {
        content: '',
        tool_calls: [piece(undefined, undefined, 'Read', { f: 1 }), piece(undefined, undefined, 'Read', { f: 2 })],
      },
      'tool_calls',
    ),
    both,
  ],
  ['carriage returns, comments, no space', text((json) => `: OPENROUTER PROCESSING\r\n\r\ndata:${json}\r\n\r\n`), hi],
  ['a byte order mark', `\uFEFF${text((json) => `data: ${json}\n\n`)}`, hi],
  [
    'data over several lines',
    text(
      (json) =>
        `${JSON.stringify(JSON.parse(json), null, 1)
          .split('\n')
          .map((line) => `data: ${line}\n`)
          .join('')}\n`,
    ),
    hi,
  ],
  ['blank data', text((json) => `data: \n\ndata: ${json}\n\n`), hi],
  [
    'text of several bytes',
    `data: ${JSON.stringify(choice({ content: 'Grüße 👋🏽' }, 'stop'))}\n\n`,
    { stop: 'end', text: 'Grüße 👋🏽' },
  ],
]

export const chatOdd: readonly Odd[] = [...calls, ...words, ...thoughts, ...endings, ...errors, ...counts, ...frames]
