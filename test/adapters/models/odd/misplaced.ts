import type { Odd } from '../support/odd-answer.ts'

/** Answers of the Responses API whose items claim one place, or are known by their ids alone. */

const ev = (type: string, more: object = {}): object => ({ type: `response.${type}`, ...more })
const created = ev('created', { response: { id: 'r', status: 'in_progress', output: [] } })
const completed = (output: unknown = []): object => ev('completed', { response: { status: 'completed', output } })
const added = (output_index: unknown, item: object): object => ev('output_item.added', { output_index, item })
const fin = (output_index: unknown, item: object): object => ev('output_item.done', { output_index, item })
const msg = (id: unknown, text: string): object => ({
  type: 'message',
  id,
  role: 'assistant',
  content: text === '' ? [] : [{ type: 'output_text', text }],
})
const call = (id: unknown, call_id: unknown, args: string): object => ({
  type: 'function_call',
  id,
  call_id,
  name: 'Read',
  arguments: args,
})
const piece = (output_index: unknown, item_id: unknown, delta: string): object =>
  ev('function_call_arguments.delta', { output_index, item_id, delta })
const said = (output_index: unknown, item_id: unknown, delta: string): object =>
  ev('output_text.delta', { output_index, item_id, delta })

const [first, second] = ['{"f":1}', '{"f":2}']
const two = {
  stop: 'tools',
  calls: [
    ['Read', { f: 1 }],
    ['Read', { f: 2 }],
  ],
} as const

export const responsesMisplaced: readonly Odd[] = [
  [
    'all at 0, one after the other',
    [
      created,
      added(0, msg('m', '')),
      said(0, 'm', 'Hi'),
      fin(0, msg('m', 'Hi')),
      added(0, call('a', 'x', '')),
      piece(0, 'a', first),
      fin(0, call('a', 'x', first)),
      added(0, call('b', 'y', '')),
      piece(0, 'b', second),
      fin(0, call('b', 'y', second)),
      completed([msg('m', 'Hi'), call('a', 'x', first), call('b', 'y', second)]),
    ],
    { ...two, text: 'Hi' },
  ],
  [
    'all at 0, the whole answer tells of none',
    [
      created,
      added(0, call('a', 'x', '')),
      piece(0, 'a', first),
      added(0, call('b', 'y', '')),
      piece(0, 'b', second),
      completed(),
    ],
    two,
  ],
  [
    'all at 0, interleaved, known by their ids',
    [
      created,
      added(0, call('a', 'x', '')),
      added(0, call('b', 'y', '')),
      piece(0, 'a', '{"f":'),
      piece(0, 'b', '{"f":'),
      piece(0, 'a', '1}'),
      piece(0, 'b', '2}'),
      completed(),
    ],
    two,
  ],
  [
    'all at 0, interleaved, finished in another order',
    [
      created,
      added(0, call('a', 'x', '')),
      added(0, call('b', 'y', '')),
      fin(0, call('b', 'y', second)),
      fin(0, call('a', 'x', first)),
      completed(),
    ],
    two,
  ],
  [
    'all at 0, only finished ones',
    [
      created,
      fin(0, { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'hm' }] }),
      fin(0, msg('m', 'Hi')),
      fin(0, call('a', 'x', first)),
      fin(0, call('b', 'y', second)),
      completed(),
    ],
    { ...two, thinking: 'hm', text: 'Hi' },
  ],
  [
    'all at 0, two messages',
    [
      created,
      added(0, msg('m', '')),
      said(0, 'm', 'Hi'),
      fin(0, msg('m', 'Hi')),
      added(0, msg('n', '')),
      said(0, 'n', ' you'),
      fin(0, msg('n', ' you')),
      completed(),
    ],
    { stop: 'end', text: 'Hi you' },
  ],
  [
    'all at 0, thinking and text that nothing began',
    [created, ev('reasoning_text.delta', { output_index: 0, delta: 'hm' }), said(0, 'm', 'Hi'), completed()],
    { stop: 'end', thinking: 'hm', text: 'Hi' },
  ],
  [
    'all at 0, ids that change midway (LiteLLM)',
    [
      created,
      added(0, msg('m', '')),
      said(0, 'm2', 'Hi'),
      fin(0, msg('m3', 'Hi')),
      added(0, call('a', 'x', '')),
      piece(0, 'a2', first),
      fin(0, call('a3', 'x', first)),
      completed([msg('m4', 'Hi'), call('a4', 'x', first)]),
    ],
    { stop: 'tools', text: 'Hi', calls: [['Read', { f: 1 }]] },
  ],
  [
    'no index, arguments by the id of their item',
    [
      created,
      added(undefined, call('a', 'x', '')),
      added(undefined, call('b', 'y', '')),
      piece(undefined, 'b', second),
      piece(undefined, 'a', first),
      completed(),
    ],
    two,
  ],
  [
    'index at the beginning, then ids alone',
    [
      created,
      added(0, call('a', 'x', '')),
      added(1, call('b', 'y', '')),
      piece(undefined, 'a', first),
      ev('function_call_arguments.done', { item_id: 'b', arguments: second }),
      completed(),
    ],
    two,
  ],
  [
    'arguments by the id of the call',
    [
      created,
      added(undefined, call(undefined, 'x', '')),
      added(undefined, call(undefined, 'y', '')),
      piece(undefined, 'x', first),
      piece(undefined, 'y', second),
      completed(),
    ],
    two,
  ],
  [
    'one id for all: places tell them apart',
    [
      created,
      added(0, call('same', 'x', '')),
      added(1, call('same', 'y', '')),
      piece(0, 'same', first),
      piece(1, 'same', second),
      fin(0, call('same', 'x', first)),
      fin(1, call('same', 'y', second)),
      completed(),
    ],
    two,
  ],
  [
    'one id for all, only finished ones',
    [created, fin(0, msg('same', 'Hi')), fin(1, msg('same', ' you')), completed()],
    { stop: 'end', text: 'Hi you' },
  ],
  [
    'places that begin at 1, the whole answer says all again',
    [
      created,
      added(1, msg('m', '')),
      said(1, 'm', 'Hi'),
      fin(1, msg('m', 'Hi')),
      fin(2, call('a', 'x', first)),
      completed([msg('m', 'Hi'), call('a', 'x', first)]),
    ],
    { stop: 'tools', text: 'Hi', calls: [['Read', { f: 1 }]] },
  ],
]
