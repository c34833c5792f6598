import type { Odd } from '../support/odd-answer.ts'

/** Chat completions with what is peculiar to one server or gateway each. */

const choice = (delta: unknown, finish_reason: unknown = null, more: object = {}): object => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason, ...more }],
})
const says = (content: unknown): object => choice({ content })
const call = (args: unknown, more: object = {}): object => ({
  index: 0,
  id: 'x',
  type: 'function',
  function: { name: 'Read', arguments: args },
  ...more,
})
const calls = (...tool_calls: readonly unknown[]): object => choice({ tool_calls })
const stop = choice({}, 'stop')
const done = '[DONE]'
const called = (...events: readonly unknown[]): unknown[] => [...events, choice({}, 'tool_calls'), done]
const counts = { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16 }

const hi = { stop: 'end', text: 'Hi' } as const
const hm = { ...hi, thinking: 'hm' } as const
const one = { stop: 'tools', calls: [['Read', { f: 1 }]] } as const
const nothing = { stop: 'tools', calls: [['Read', {}]] } as const

const words: readonly Odd[] = [
  [
    'choices in another order',
    [
      {
        choices: [
          { index: 1, delta: { content: 'Ho' } },
          { index: 0, delta: { content: 'Hi' } },
        ],
      },
      stop,
      done,
    ],
    hi,
  ],
  [
    'a choice for the words and one for the call (Copilot)',
    [
      { choices: [{ delta: { content: 'Hi' } }, { delta: { tool_calls: [call('{"f":1}')] } }] },
      { choices: [{ finish_reason: 'tool_calls' }, { finish_reason: 'tool_calls' }] },
      done,
    ],
    { ...one, text: 'Hi' },
  ],
  [
    'in one piece, a choice for the words and one for the call (Copilot)',
    JSON.stringify({
      choices: [
        { finish_reason: 'tool_calls', message: { content: 'Hi', role: 'assistant' } },
        { finish_reason: 'tool_calls', message: { role: 'assistant', tool_calls: [call('{"f":1}')] } },
      ],
    }),
    { ...one, text: 'Hi' },
  ],
  [
    'an index of a choice that is a text',
    [
      { choices: [{ index: '0', delta: { content: 'Hi' } }] },
      { choices: [{ index: '0', delta: {}, finish_reason: 'stop' }] },
      done,
    ],
    hi,
  ],
  ['the index of a choice is null', [{ choices: [{ index: null, delta: { content: 'Hi' } }] }, stop, done], hi],
  [
    'a second choice with a call',
    [
      says('Hi'),
      { choices: [{ index: 1, delta: { tool_calls: [call('{"f":1}')] } }] },
      { choices: [{ index: 1, delta: {}, finish_reason: 'tool_calls' }] },
      stop,
      done,
    ],
    hi,
  ],
  [
    'a second choice that ends first',
    [{ choices: [{ index: 1, delta: {}, finish_reason: 'stop' }] }, says('Hi'), stop, done],
    hi,
  ],
  [
    'a refusal among the parts',
    [says([{ type: 'refusal', refusal: 'I will not.' }]), stop, done],
    { stop: 'refusal', failure: 'refused' },
  ],
  ['parts that are texts', [says(['H', 'i']), stop, done], hi],
  ['content that is false', [says(false), says('Hi'), stop, done], hi],
  [
    'annotations and audio',
    [choice({ content: 'Hi', annotations: [{ type: 'url_citation' }], audio: null }), stop, done],
    hi,
  ],
  [
    'logprobs, fingerprint, service tier',
    [
      choice({ content: 'Hi' }, null, { logprobs: { content: [] } }),
      { ...stop, system_fingerprint: 'fp', service_tier: 'default' },
      done,
    ],
    hi,
  ],
  [
    'progress before the first word (llama.cpp)',
    [
      { choices: [], prompt_progress: { total: 9, processed: 4 } },
      choice({ role: 'assistant', content: null }),
      says('Hi'),
      { ...stop, timings: { predicted_n: 2 } },
      done,
    ],
    hi,
  ],
  [
    'progress in the choice (llama.cpp)',
    [{ ...choice({ role: 'assistant' }), prompt_progress: { total: 9, processed: 4 } }, says('Hi'), stop, done],
    hi,
  ],
  ['citations beside the choices (xAI, Perplexity)', [{ ...says('Hi'), citations: ['https://x'] }, stop, done], hi],
]

const thoughts: readonly Odd[] = [
  ['thinking in `thinking`', [choice({ thinking: 'hm' }), says('Hi'), stop, done], hm],
  ['thinking in `reasoning_text` (Copilot)', [choice({ reasoning_text: 'hm' }), says('Hi'), stop, done], hm],
  [
    'thinking in `thinking_blocks` and in `reasoning_content` (LiteLLM)',
    [
      choice({ reasoning_content: 'hm', thinking_blocks: [{ type: 'thinking', thinking: 'hm', signature: '' }] }),
      says('Hi'),
      stop,
      done,
    ],
    hm,
  ],
  ['parts of the type reasoning', [says([{ type: 'reasoning', text: 'hm' }]), says('Hi'), stop, done], hm],
  ['parts of the type thinking with text', [says([{ type: 'thinking', text: 'hm' }]), says('Hi'), stop, done], hm],
  [
    'thinking in a list (Mistral)',
    [
      says([{ type: 'thinking', thinking: [{ type: 'text', text: 'h' }], closed: false }]),
      says([{ type: 'thinking', thinking: [{ type: 'text', text: 'm' }] }]),
      says('Hi'),
      stop,
      done,
    ],
    hm,
  ],
  [
    'empty thinking with every word (vLLM)',
    [
      choice({ role: 'assistant', content: '', reasoning_content: null, tool_calls: [] }),
      choice({ reasoning: 'hm', reasoning_content: 'hm', content: null }),
      choice({ content: 'Hi', reasoning: '', reasoning_content: '' }),
      choice({ content: '' }, 'stop', { stop_reason: null, token_ids: null }),
      done,
    ],
    hm,
  ],
  [
    'encrypted thinking only (OpenRouter)',
    [
      choice({
        content: '',
        reasoning: null,
        reasoning_details: [
          { type: 'reasoning.encrypted', data: 'zz', id: 'rs', format: 'openai-responses-v1', index: 0 },
        ],
      }),
      says('Hi'),
      stop,
      done,
    ],
    hi,
  ],
  [
    'encrypted thinking of two calls under one index',
    called(
      calls(call('{"f":1}'), call('{"f":2}', { index: 1, id: 'y' })),
      choice({
        reasoning_details: [
          { type: 'reasoning.encrypted', data: 'aa', id: 'x', index: 0 },
          { type: 'reasoning.encrypted', data: 'bb', id: 'y', index: 0 },
        ],
      }),
    ),
    {
      stop: 'tools',
      calls: [
        ['Read', { f: 1 }],
        ['Read', { f: 2 }],
      ],
    },
  ],
  [
    'reasoning_details that are an object',
    [choice({ content: 'Hi', reasoning_details: { type: 'x' } }), stop, done],
    hi,
  ],
  [
    'thinking only, and the reason stop',
    [choice({ reasoning_content: 'hm' }), stop, done],
    { stop: 'end', thinking: 'hm' },
  ],
]

const asked: readonly Odd[] = [
  ['arguments `null`', called(calls(call('null'))), nothing],
  ['arguments that are blank', called(calls(call(' \n'))), nothing],
  ['arguments `""`', called(calls(call('""'))), nothing],
  ['arguments with blanks around', called(calls(call('\n {"f":1} \n'))), one],
  [
    'arguments that are an empty object, then the object',
    called(calls(call({})), calls({ index: 0, function: { arguments: '{"f":1}' } })),
    one,
  ],
  [
    'arguments cut inside a letter of several bytes',
    called(
      calls(call('{"f":"Gr')),
      calls({ index: 0, function: { arguments: 'üß' } }),
      calls({ index: 0, function: { arguments: 'e 👋🏽"}' } }),
    ),
    { stop: 'tools', calls: [['Read', { f: 'Grüße 👋🏽' }]] },
  ],
  [
    'a call with an empty list of calls after it',
    called(calls(call('{"f":1}')), choice({ content: '', tool_calls: [] })),
    one,
  ],
  [
    'a call whose first piece has no arguments field',
    called(
      calls({ index: 0, id: 'x', type: 'function', function: { name: 'Read' } }),
      calls({ index: 0, function: { arguments: '{"f":1}' } }),
    ),
    one,
  ],
  [
    'pieces with empty ids and names (DashScope)',
    called(
      calls(call('')),
      calls({ index: 0, id: '', type: 'function', function: { name: '', arguments: '{"f":1}' } }),
    ),
    one,
  ],
  ['a call that is no list', called(choice({ tool_calls: call('{"f":1}') })), one],
  [
    'a call with its thought signature (Gemini)',
    called(calls(call('{"f":1}', { extra_content: { google: { thought_signature: 'zz' } } }))),
    one,
  ],
  [
    'a call with the reason stop and the index 0 (Gemini)',
    [choice({ role: 'assistant', tool_calls: [call('{"f":1}')] }, 'stop'), done],
    { stop: 'end', calls: [['Read', { f: 1 }]] },
  ],
  ['a call whose reason is null, then [DONE]', [calls(call('{"f":1}')), done], one],
  [
    'a half call whose reason is null, then [DONE]',
    [calls(call('{"f":')), done],
    { stop: 'tools', malformed: ['{"f":'] },
  ],
  [
    'calls of the types function and custom',
    called(calls(call('{"f":1}'), { index: 1, id: 'y', type: 'custom', custom: { name: 'Sh', input: 'ls' } })),
    one,
  ],
  [
    'a name that is an object',
    called(calls(call('{"f":1}')), calls({ index: 1, id: 'y', function: { name: {}, arguments: '' } })),
    one,
  ],
  [
    'a negative index',
    called(calls({ ...call('{"f":'), index: -1 }), calls({ index: -1, function: { arguments: '1}' } })),
    one,
  ],
  ['the index missing in later pieces', called(calls(call('{"f":')), calls({ function: { arguments: '1}' } })), one],
  [
    'the index missing in later pieces of the second call',
    called(
      calls(call('{"f":1}')),
      calls({ ...call('{"f":'), index: 1, id: 'y' }),
      calls({ function: { arguments: '2}' } }),
    ),
    {
      stop: 'tools',
      calls: [
        ['Read', { f: 1 }],
        ['Read', { f: 2 }],
      ],
    },
  ],
  [
    'pieces told apart by their ids only',
    called(
      calls({ ...call('{"f":'), index: undefined }),
      calls({ ...call('{"f":'), index: undefined, id: 'y' }),
      calls({ id: 'x', function: { arguments: '1}' } }),
      calls({ id: 'y', function: { arguments: '2}' } }),
    ),
    {
      stop: 'tools',
      calls: [
        ['Read', { f: 1 }],
        ['Read', { f: 2 }],
      ],
    },
  ],
]

const endings: readonly Odd[] = [
  [
    'the reason max_tokens (gateways to Anthropic)',
    [says('Hi'), choice({}, 'max_tokens'), done],
    { stop: 'max_tokens', text: 'Hi' },
  ],
  [
    'a call cut by the reason max_tokens',
    [calls(call('{"f":')), choice({}, 'max_tokens'), done],
    { stop: 'max_tokens' },
  ],
  ['reasons in capitals', [says('Hi'), choice({}, 'STOP'), done], hi],
  ['the limit in capitals', [says('Hi'), choice({}, 'MAX_TOKENS'), done], { stop: 'max_tokens', text: 'Hi' }],
  [
    'a call that the model spelled wrong (Gemini)',
    [choice({}, 'function_call_filter: MALFORMED_FUNCTION_CALL'), done],
    { stop: 'error', failure: 'stream_broken' },
  ],
  [
    'stopped for safety (Gemini)',
    [choice({}, 'content_filter: SAFETY'), done],
    { stop: 'refusal', failure: 'refused' },
  ],
  ['stopped for what was said (Zhipu)', [choice({}, 'sensitive'), done], { stop: 'refusal', failure: 'refused' }],
  [
    'the network of the server failed (Zhipu)',
    [says('Hi'), choice({}, 'network_error'), done],
    { stop: 'error', failure: 'server_error', text: 'Hi' },
  ],
  [
    'the window is full',
    [says('Hi'), choice({}, 'model_context_window_exceeded'), done],
    { stop: 'max_tokens', text: 'Hi' },
  ],
  [
    'the reason error_finish (gateways to Bedrock)',
    [says('Hi'), choice({}, 'error_finish'), done],
    { stop: 'error', failure: 'server_error', text: 'Hi' },
  ],
  ['a reason that is an object', [says('Hi'), choice({}, { type: 'stop' }), done], hi],
  ['a reason that is false', [says('Hi'), choice({}, false), done], hi],
  ['the reason eos (Together)', [says('Hi'), choice({}, 'eos'), done], hi],
]

const errors: readonly Odd[] = [
  [
    'an error in the choice (OpenRouter)',
    [says('Hi'), choice({ content: '' }, 'error', { error: { code: 429, message: 'slow down' } }), done],
    { stop: 'error', failure: 'rate_limited', text: 'Hi' },
  ],
  [
    'an error in a list (Gemini)',
    [says('Hi'), [{ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }]],
    { stop: 'error', failure: 'overloaded', text: 'Hi' },
  ],
  [
    'a good status with an error in a list (Gemini)',
    JSON.stringify([{ error: { code: 429, message: 'Resource has been exhausted', status: 'RESOURCE_EXHAUSTED' } }]),
    { stop: 'error', failure: 'rate_limited' },
  ],
  [
    'an error beside the words (Groq)',
    [says('Hi'), { ...choice({}), x_groq: { id: 'req', error: 'over capacity' } }],
    { stop: 'error', failure: 'overloaded', text: 'Hi' },
  ],
  [
    'a good status beside one of its own (MiniMax)',
    JSON.stringify({ choices: null, base_resp: { status_code: 1002, status_msg: 'rate limit exceeded(RPM)' } }),
    { stop: 'error', failure: 'rate_limited' },
  ],
  [
    'a status of its own in the stream (MiniMax)',
    [says('Hi'), { choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }],
    { stop: 'error', failure: 'forbidden', text: 'Hi' },
  ],
  ['a good status of its own (MiniMax)', [{ ...says('Hi'), base_resp: { status_code: 0 } }, stop, done], hi],
  [
    'a good status with a bad code (Zhipu)',
    JSON.stringify({ code: 401, msg: 'token expired or incorrect', success: false }),
    { stop: 'error', failure: 'unauthorized' },
  ],
  [
    'an error by its type',
    [says('Hi'), { type: 'error', message: 'gone', code: 500 }],
    { stop: 'error', failure: 'server_error', text: 'Hi' },
  ],
  [
    'an error whose event has its name (LM Studio)',
    `data: ${JSON.stringify(says('Hi'))}\n\nevent: error\ndata: {"error":{"message":"Context size has been exceeded"}}\n\n`,
    { stop: 'error', failure: 'context_exceeded', text: 'Hi' },
  ],
  [
    'an error whose event has its name, unwrapped',
    `data: ${JSON.stringify(says('Hi'))}\n\nevent: error\ndata: {"message":"out of memory","code":500}\n\n`,
    { stop: 'error', failure: 'server_error', text: 'Hi' },
  ],
  [
    'an error of the tools (Groq)',
    [
      says('Hi'),
      {
        error: {
          message: 'Failed to call a function',
          type: 'invalid_request_error',
          code: 'tool_use_failed',
          failed_generation: '<f>',
          status_code: 400,
        },
      },
    ],
    { stop: 'error', failure: 'stream_broken', text: 'Hi' },
  ],
  [
    'an error of the generation (TGI)',
    [
      says('Hi'),
      { error: 'Request failed during generation: Server error: CUDA out of memory', error_type: 'generation' },
    ],
    { stop: 'error', failure: 'server_error', text: 'Hi' },
  ],
  [
    'a rate in words (Gemini)',
    [{ error: { code: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded for quota metric' } }],
    { stop: 'error', failure: 'rate_limited' },
  ],
  [
    'the filter of Azure in the stream',
    [
      says('Hi'),
      {
        error: {
          code: 'content_filter',
          message: 'The response was filtered',
          status: 400,
          innererror: { code: 'ResponsibleAIPolicyViolation' },
        },
      },
    ],
    { stop: 'error', failure: 'refused', text: 'Hi' },
  ],
]

const usage: readonly Odd[] = [
  [
    'counts beside the words (Groq)',
    [says('Hi'), { ...stop, x_groq: { id: 'req', usage: counts } }, done],
    { ...hi, usage: [9, 7, 0, 0] },
  ],
  [
    'counts in two parts',
    [
      { choices: [], usage: { prompt_tokens: 9 } },
      says('Hi'),
      stop,
      { choices: [], usage: { completion_tokens: 7 } },
      done,
    ],
    { ...hi, usage: [9, 7, 0, 0] },
  ],
  [
    'counts after [DONE] are too late',
    [says('Hi'), stop, done, { choices: [], usage: counts }],
    { ...hi, usage: [0, 0, 0, 0] },
  ],
  [
    'counts of the cache at the top (Moonshot, Together)',
    [says('Hi'), { ...stop, usage: { ...counts, cached_tokens: 4 } }, done],
    { ...hi, usage: [5, 7, 4, 0] },
  ],
  [
    'counts of the cache in Anthropic’s words (LiteLLM)',
    [says('Hi'), { ...stop, usage: { ...counts, cache_read_input_tokens: 4, cache_creation_input_tokens: 2 } }, done],
    { ...hi, usage: [3, 7, 4, 2] },
  ],
  [
    'thinking counted apart (xAI)',
    [
      says('Hi'),
      {
        ...stop,
        usage: {
          prompt_tokens: 9,
          completion_tokens: 7,
          total_tokens: 116,
          completion_tokens_details: { reasoning_tokens: 100 },
        },
      },
      done,
    ],
    { ...hi, usage: [9, 107, 0, 0] },
  ],
  [
    'thinking counted within',
    [
      says('Hi'),
      {
        ...stop,
        usage: {
          prompt_tokens: 9,
          completion_tokens: 107,
          total_tokens: 116,
          completion_tokens_details: { reasoning_tokens: 100 },
        },
      },
      done,
    ],
    { ...hi, usage: [9, 107, 0, 0] },
  ],
  ['usage that is a list', [says('Hi'), { ...stop, usage: [] }, done], { ...hi, usage: [0, 0, 0, 0] }],
]

const json = (events: readonly unknown[]): readonly string[] =>
  events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)))
const both = json([says('Hi'), stop, done])
const whole = {
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: counts,
}
const frames: readonly Odd[] = [
  ['in one piece, behind blank lines (OpenRouter)', `\n \n\n${JSON.stringify(whole)}`, { ...hi, usage: [9, 7, 0, 0] }],
  ['in one piece, behind a byte order mark', `\uFEFF${JSON.stringify(whole)}`, { ...hi, usage: [9, 7, 0, 0] }],
  [
    'in one piece, with parts',
    JSON.stringify({
      ...whole,
      choices: [
        {
          message: {
            content: [
              { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
              { type: 'text', text: 'Hi' },
            ],
          },
          finish_reason: 'stop',
        },
      ],
    }),
    { ...hm, usage: [9, 7, 0, 0] },
  ],
  ['in one piece, as an event', `data: ${JSON.stringify(whole)}\n\n`, hi],
  [
    'in one piece, without a reason',
    JSON.stringify({ choices: [{ message: { content: 'Hi' }, finish_reason: null }] }),
    hi,
  ],
  [
    'in one piece, refused',
    JSON.stringify({ choices: [{ message: { content: null, refusal: 'No.' }, finish_reason: 'stop' }] }),
    { stop: 'refusal', failure: 'refused' },
  ],
  [
    'comments in the middle of an event',
    both.map((data) => `: keep-alive\ndata: ${data}\n: keep-alive\n\n`).join(''),
    hi,
  ],
  ['a comment as the last thing', `${both.map((data) => `data: ${data}\n\n`).join('')}: bye`, hi],
  ['two spaces and a tab after the colon', both.map((data) => `data:  \t${data}\n\n`).join(''), hi],
  ['[DONE] with no blank line', `data: ${both[0]}\n\ndata: [DONE]`, hi],
]

export const dialectsOdd: readonly Odd[] = [...words, ...thoughts, ...asked, ...endings, ...errors, ...usage, ...frames]
