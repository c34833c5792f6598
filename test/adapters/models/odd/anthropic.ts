import type { Odd } from '../support/odd-answer.ts'

/** Answers of the Messages API, of gateways to it and of what may become of them on the way. */

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
  delta: { stop_reason, ...more },
  usage: { output_tokens: 7 },
})
const textAt = (index: unknown, text: string): object[] => [
  starts(index, { type: 'text', text: '' }),
  grows(index, { type: 'text_delta', text }),
  stops(index),
]
const args = (index: unknown, partial_json: unknown): object => grows(index, { type: 'input_json_delta', partial_json })
const use = (id: unknown, name: string, input: unknown = {}): object => ({ type: 'tool_use', id, name, input })
const callAt = (index: unknown, id: unknown, pieces: readonly unknown[]): object[] => [
  starts(index, use(id, 'Read')),
  ...pieces.map((piece) => args(index, piece)),
  stops(index),
]
const said = (...events: readonly unknown[]): unknown[] => [open, ...events, ends('end_turn'), closed]
const called = (...events: readonly unknown[]): unknown[] => [open, ...events, ends('tool_use'), closed]
const error = (type: string, message = 'it went wrong'): object => ({ type: 'error', error: { type, message } })

const end = { stop: 'end' } as const
const broken = { stop: 'error', failure: 'stream_broken' } as const
const a = ['Read', { f: 1 }] as const
const b = ['Read', { f: 2 }] as const

const calls: readonly Odd[] = [
  ['no arguments at all', called(...callAt(0, 't', [])), { stop: 'tools', calls: [['Read', {}]] }],
  ['empty pieces of arguments', called(...callAt(0, 't', ['', '', ''])), { stop: 'tools', calls: [['Read', {}]] }],
  [
    'arguments cut inside an escape',
    called(...callAt(0, 't', ['{"f":"\\u00', 'e9\\', 'n"}'])),
    { stop: 'tools', calls: [['Read', { f: 'é\n' }]] },
  ],
  [
    'arguments at once, in the start',
    called(starts(0, use('t', 'Read', { f: 1 })), stops(0)),
    { stop: 'tools', calls: [a] },
  ],
  [
    'arguments in the start and again in pieces',
    called(starts(0, use('t', 'Read', { f: 1 })), args(0, '{"f"'), args(0, ':1}'), stops(0)),
    { stop: 'tools', calls: [a] },
  ],
  [
    'arguments in the start as JSON text',
    called(starts(0, use('t', 'Read', '{"f":1}')), stops(0)),
    { stop: 'tools', calls: [a] },
  ],
  [
    'an input that is null',
    called(starts(0, use('t', 'Read', null)), args(0, '{"f":1}'), stops(0)),
    { stop: 'tools', calls: [a] },
  ],
  [
    'two calls, their pieces mixed',
    called(
      starts(0, use('t', 'Read')),
      starts(1, use('u', 'Read')),
      args(1, '{"f"'),
      args(0, '{"f":1}'),
      args(1, ':2}'),
      stops(1),
      stops(0),
    ),
    { stop: 'tools', calls: [a, b] },
  ],
  [
    'two calls of one id',
    called(...callAt(0, 't', ['{"f":1}']), ...callAt(1, 't', ['{"f":2}'])),
    { stop: 'tools', calls: [a, b] },
  ],
  [
    'a call without an id',
    called(...callAt(0, '', ['{"f":1}']), ...callAt(1, undefined, ['{"f":2}'])),
    { stop: 'tools', calls: [a, b] },
  ],
  [
    'a call that is never closed though its arguments are whole',
    called(starts(0, use('t', 'Read')), args(0, '{"f":1}')),
    { stop: 'tools', calls: [a] },
  ],
  ['a call that is never closed, its arguments cut', called(starts(0, use('t', 'Read')), args(0, '{"f":')), broken],
  ['a call that is never closed and never got arguments', called(starts(0, use('t', 'Read'))), broken],
  ['arguments that are no JSON', called(...callAt(0, 't', ['{f:1}'])), { stop: 'tools', malformed: ['{f:1}'] }],
  ['arguments that are a list', called(...callAt(0, 't', ['[1]'])), { stop: 'tools', calls: [['Read', [1]]] }],
  ['a piece of arguments that is an object', called(...callAt(0, 't', [{ f: 1 }])), { stop: 'tools', calls: [a] }],
  ['a call cut by the limit', [open, ...callAt(0, 't', ['{"f":']), ends('max_tokens'), closed], { stop: 'max_tokens' }],
  [
    'a whole call before the limit',
    [open, ...callAt(0, 't', ['{"f":1}']), ends('max_tokens'), closed],
    { stop: 'max_tokens', calls: [a] },
  ],
  ['a call though the reason is end_turn', said(...callAt(0, 't', ['{"f":1}'])), { stop: 'end', calls: [a] }],
  ['the reason tool_use without a call', called(...textAt(0, 'Hi')), { stop: 'tools', text: 'Hi' }],
  [
    'arguments begun with an empty object',
    called(...callAt(0, 't', ['{}', '{"f":', '1}'])),
    { stop: 'tools', calls: [a] },
  ],
]

const places: readonly Odd[] = [
  ['no index anywhere', said(...textAt(undefined, 'One '), ...textAt(undefined, 'two')), { ...end, text: 'One two' }],
  [
    'every index zero',
    called(...textAt(0, 'One'), ...callAt(0, 't', ['{"f":1}'])),
    { stop: 'tools', text: 'One', calls: [a] },
  ],
  ['indexes with gaps, out of order', said(...textAt(7, 'two'), ...textAt(3, 'One ')), { ...end, text: 'One two' }],
  ['text that no block began', said(grows(0, { type: 'text_delta', text: 'Hi' })), { ...end, text: 'Hi' }],
  ['arguments for a block that never began', called(args(3, '{"f":1}')), broken],
  [
    'text in the start of its block',
    said(starts(0, { type: 'text', text: 'Hel' }), grows(0, { type: 'text_delta', text: 'lo' }), stops(0)),
    { ...end, text: 'Hello' },
  ],
  [
    'text that is never closed',
    said(starts(0, { type: 'text', text: '' }), grows(0, { type: 'text_delta', text: 'Hi' })),
    { ...end, text: 'Hi' },
  ],
  ['a block without a type', said(starts(0, {}), stops(0), ...textAt(1, 'Hi')), { ...end, text: 'Hi' }],
  [
    'a delta that is null',
    said(
      starts(0, { type: 'text', text: '' }),
      { type: 'content_block_delta', index: 0, delta: null },
      grows(0, { type: 'text_delta', text: 'Hi' }),
      stops(0),
    ),
    { ...end, text: 'Hi' },
  ],
]

const thoughts: readonly Odd[] = [
  [
    'thinking with its signature in two pieces',
    said(
      starts(0, { type: 'thinking', thinking: '' }),
      grows(0, { type: 'thinking_delta', thinking: 'hm' }),
      grows(0, { type: 'signature_delta', signature: 'ab' }),
      grows(0, { type: 'signature_delta', signature: 'cd' }),
      stops(0),
      ...textAt(1, 'Hi'),
    ),
    { ...end, thinking: 'hm', text: 'Hi' },
  ],
  [
    'a signature in the start and again in a piece',
    said(
      starts(0, { type: 'thinking', thinking: 'hm', signature: 'ab' }),
      grows(0, { type: 'signature_delta', signature: 'ab' }),
      stops(0),
      ...textAt(1, 'Hi'),
    ),
    { ...end, thinking: 'hm', text: 'Hi' },
  ],
  [
    'thinking that is withheld, with a signature',
    said(starts(0, { type: 'thinking', thinking: '', signature: 'ab' }), stops(0), ...textAt(1, 'Hi')),
    { ...end, text: 'Hi' },
  ],
  [
    'redacted thinking between thoughts',
    said(
      starts(0, { type: 'thinking', thinking: 'a', signature: 's' }),
      stops(0),
      starts(1, { type: 'redacted_thinking', data: 'zz' }),
      stops(1),
      starts(2, { type: 'thinking', thinking: 'b', signature: 's' }),
      stops(2),
      ...textAt(3, 'Hi'),
    ),
    { ...end, thinking: 'a|b', text: 'Hi' },
  ],
  [
    'thinking alone',
    said(starts(0, { type: 'thinking', thinking: 'hm', signature: 's' }), stops(0)),
    { ...end, thinking: 'hm' },
  ],
  [
    'a citation in a text',
    said(
      starts(0, { type: 'text', text: '', citations: [] }),
      grows(0, { type: 'citations_delta', citation: { type: 'char_location', cited_text: 'x' } }),
      grows(0, { type: 'text_delta', text: 'Hi' }),
      stops(0),
    ),
    { ...end, text: 'Hi' },
  ],
  [
    'a tool of the server, its input in pieces',
    said(
      starts(0, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
      args(0, '{"query":'),
      args(0, '"x"}'),
      stops(0),
      starts(1, { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }),
      stops(1),
      ...textAt(2, 'Hi'),
    ),
    { ...end, text: 'Hi', items: ['server_tool_use', 'web_search_tool_result'] },
  ],
  [
    'a pause inside a tool of the server',
    [
      open,
      starts(0, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
      args(0, '{}'),
      stops(0),
      ends('pause_turn'),
      closed,
    ],
    { stop: 'pause', items: ['server_tool_use'] },
  ],
  [
    'a block of tomorrow',
    said(
      starts(0, { type: 'hologram', shape: 'cube' }),
      grows(0, { type: 'hologram_delta', shape: 's' }),
      stops(0),
      ...textAt(1, 'Hi'),
    ),
    { ...end, text: 'Hi', items: ['hologram'] },
  ],
  ['an event of tomorrow', said({ type: 'weather', sky: 'blue' }, ...textAt(0, 'Hi')), { ...end, text: 'Hi' }],
  [
    'a delta of tomorrow on a text',
    said(
      starts(0, { type: 'text', text: '' }),
      grows(0, { type: 'font_delta', font: 'serif' }),
      grows(0, { type: 'text_delta', text: 'Hi' }),
      stops(0),
    ),
    { ...end, text: 'Hi' },
  ],
]

const endings: readonly Odd[] = [
  [
    'no reason to stop',
    [open, ...textAt(0, 'Hi'), { type: 'message_delta', delta: {} }, closed],
    { ...end, text: 'Hi' },
  ],
  ['no message_delta', [open, ...textAt(0, 'Hi'), closed], { ...end, text: 'Hi' }],
  ['a reason of tomorrow', [open, ...textAt(0, 'Hi'), ends('solar_flare'), closed], { ...end, text: 'Hi' }],
  [
    'a stop sequence',
    [open, ...textAt(0, 'Hi'), ends('stop_sequence', { stop_sequence: 'X' }), closed],
    { ...end, text: 'Hi' },
  ],
  [
    'the window is full',
    [open, ...textAt(0, 'Hi'), ends('model_context_window_exceeded'), closed],
    { stop: 'max_tokens', text: 'Hi' },
  ],
  [
    'a pause to compact',
    [open, starts(0, { type: 'compaction', content: 'so far' }), stops(0), ends('compaction'), closed],
    { stop: 'pause', items: ['compaction'] },
  ],
  [
    'a refusal with its reason',
    [open, ends('refusal', { stop_details: { type: 'refusal', explanation: 'No.' } }), closed],
    { stop: 'refusal', failure: 'refused' },
  ],
  [
    'a refusal after a whole call',
    [open, ...callAt(0, 't', ['{"f":1}']), ends('refusal'), closed],
    { stop: 'refusal', failure: 'refused' },
  ],
  [
    'two message_deltas',
    [
      open,
      ...textAt(0, 'Hi'),
      ends('end_turn'),
      { type: 'message_delta', delta: { stop_reason: null }, usage: { output_tokens: 8 } },
      closed,
    ],
    { ...end, text: 'Hi', usage: [9, 8, 0, 0] },
  ],
  ['nothing said at all', said(), end],
  ['no message_start', [...textAt(0, 'Hi'), ends('end_turn'), closed], { ...end, text: 'Hi' }],
  ['no message_stop', [open, ...textAt(0, 'Hi'), ends('end_turn')], { ...broken, text: 'Hi' }],
  ['events after the end', [...said(...textAt(0, 'Hi')), error('overloaded_error')], { ...end, text: 'Hi' }],
  [
    'another message inside',
    [open, ...textAt(0, 'Hi'), { type: 'message_start', message: { id: 'msg_2' } }, ends('end_turn'), closed],
    { ...broken, text: 'Hi' },
  ],
  ['the same message begun twice', [open, open, ...textAt(0, 'Hi'), ends('end_turn'), closed], { ...end, text: 'Hi' }],
]

const errors: readonly Odd[] = [
  ...(
    [
      ['overloaded_error', 'overloaded'],
      ['api_error', 'server_error'],
      ['rate_limit_error', 'rate_limited'],
      ['invalid_request_error', 'invalid_request'],
      ['authentication_error', 'unauthorized'],
      ['permission_error', 'forbidden'],
      ['request_too_large', 'context_exceeded'],
      ['timeout_error', 'timed_out'],
      ['billing_error', 'forbidden'],
      ['error_of_tomorrow', 'server_error'],
    ] as const
  ).map(([kind, failure]): Odd => [
    `an error of type ${kind}`,
    [open, ...textAt(0, 'Hi'), error(kind)],
    { stop: 'error', failure, text: 'Hi' },
  ]),
  [
    'an error without its type outside',
    [open, { error: { type: 'overloaded_error', message: 'Overloaded' } }],
    { stop: 'error', failure: 'overloaded' },
  ],
  [
    'an error that is a word',
    [open, { type: 'error', error: 'upstream gone' }],
    { stop: 'error', failure: 'server_error' },
  ],
  ['an error without a reason', [open, { type: 'error' }], { stop: 'error', failure: 'server_error' }],
  [
    'an error after a whole call',
    [open, ...callAt(0, 't', ['{"f":1}']), error('overloaded_error')],
    { stop: 'error', failure: 'overloaded' },
  ],
  ['an event that is cut JSON', [open, '{"type":"content_block_st'], broken],
  [
    'a good status with an error in JSON',
    JSON.stringify(error('overloaded_error', 'Overloaded')),
    { stop: 'error', failure: 'overloaded' },
  ],
  ['a good status with a page', '<html><body>Sign in</body></html>', { stop: 'error', failure: 'not_found' }],
  ['a good status with nothing', '', broken],
]

const counts: readonly Odd[] = [
  [
    'counts only at the end',
    [
      { type: 'message_start', message: { id: 'm' } },
      ...textAt(0, 'Hi'),
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { input_tokens: 5, output_tokens: 7, cache_read_input_tokens: 3, cache_creation_input_tokens: 2 },
      },
      closed,
    ],
    { ...end, text: 'Hi', usage: [5, 7, 3, 2] },
  ],
  [
    'counts that are null at the end',
    [
      open,
      ...textAt(0, 'Hi'),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { input_tokens: null, output_tokens: 7 } },
      closed,
    ],
    { ...end, text: 'Hi', usage: [9, 7, 0, 0] },
  ],
  ['counts of an answer that broke off', [open, ...textAt(0, 'Hi')], { ...broken, text: 'Hi', usage: [9, 1, 0, 0] }],
  [
    'counts that make no sense',
    [
      { type: 'message_start', message: { id: 'm', usage: { input_tokens: -4, output_tokens: 'many' } } },
      ...textAt(0, 'Hi'),
      closed,
    ],
    { ...end, text: 'Hi', usage: [0, 0, 0, 0] },
  ],
]

const lines = (events: readonly unknown[], to: (json: string, type: string) => string): string =>
  events.map((event) => to(JSON.stringify(event), (event as { type: string }).type)).join('')
const hi = said(...textAt(0, 'Hi'))
const means = { ...end, text: 'Hi' }

const frames: readonly Odd[] = [
  ['named events', lines(hi, (json, type) => `event: ${type}\ndata: ${json}\n\n`), means],
  ['carriage returns only', lines(hi, (json) => `data: ${json}\r\r`), means],
  ['both line ends', lines(hi, (json) => `data: ${json}\r\n\r\n`), means],
  ['a byte order mark', `\uFEFF${lines(hi, (json) => `data: ${json}\n\n`)}`, means],
  ['comments, ids and retry', lines(hi, (json) => `: keep alive\nid: 7\nretry: 3000\ndata: ${json}\n\n: \n\n`), means],
  ['no space after the colon', lines(hi, (json) => `data:${json}\n\n`), means],
  [
    'JSON over several lines',
    lines(
      hi,
      (json) =>
        `${JSON.stringify(JSON.parse(json), null, 2)
          .split('\n')
          .map((line) => `data: ${line}\n`)
          .join('')}\n`,
    ),
    means,
  ],
  ['no blank line at the end', lines(hi, (json) => `data: ${json}\n\n`).trimEnd(), means],
  ['pings all the time', lines(hi, (json) => `event: ping\ndata: {"type":"ping"}\n\ndata: ${json}\n\n`), means],
  ['empty events', lines(hi, (json) => `data:\n\ndata: ${json}\n\ndata\n\n`), means],
  ['events that are null', lines(hi, (json) => `data: null\n\ndata: ${json}\n\n`), means],
  [
    'an end in the words of another API',
    `${lines(hi.slice(0, -1), (json) => `data: ${json}\n\n`)}data: [DONE]\n\n`,
    { ...broken, text: 'Hi' },
  ],
]

export const anthropicOdd: readonly Odd[] = [
  ...calls,
  ...places,
  ...thoughts,
  ...endings,
  ...errors,
  ...counts,
  ...frames,
]
