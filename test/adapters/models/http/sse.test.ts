import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { eventCutter } from '../../../../src/adapters/models/http/sse.ts'

const cut = (pieces: readonly string[]): readonly string[] => {
  const cutter = eventCutter()
  return [...pieces.flatMap((piece) => cutter.feed(piece)), ...cutter.end()]
}

test.for([
  ['one event', 'data: {"a":1}\n\n', ['{"a":1}']],
  ['without a space', 'data:x\n\n', ['x']],
  ['other fields and comments', ': hi\nevent: e\nid: 1\ndata: x\nretry: 3\n\n', ['x']],
  ['several lines are one event', 'data: a\ndata: b\n\n', ['a\nb']],
  ['an empty line of data', 'data\n\ndata:\n\n', ['', '']],
  ['blank lines say nothing', '\n\n\ndata: x\n\n\n', ['x']],
  ['a field that only begins alike', 'database: x\n\n', []],
  ['CRLF', 'data: a\r\ndata: b\r\n\r\n', ['a\nb']],
  ['CR alone', 'data: a\r\rdata: b\r\r', ['a', 'b']],
  ['a byte order mark', '\uFEFFdata: x\n\n', ['x']],
  ['no blank lines between events', 'data: {"a":1}\ndata: {"b":2}\ndata: [DONE]\n', ['{"a":1}', '{"b":2}', '[DONE]']],
  ['one event over several lines', 'data: {"a":\ndata: 1}\n\n', ['{"a":\n1}']],
  ['an event below its field', 'data:\n {"a":1}\n\ndata:\n[DONE]\n\n', ['{"a":1}', '[DONE]']],
  ['no blank line at the end', 'data: x\n\ndata: [DONE]', ['x', '[DONE]']],
] as const)('%s', ([, stream, events]) => {
  expect(cut([stream])).toEqual(events)
})

const field = fc.constantFrom('data: a', 'data:b', 'data', 'event: x', ': c', 'data: {"t":"ü✓"}', ' {"u":1}')
const lineEnd = fc.constantFrom('\n', '\r\n', '\r')

property.prop([fc.array(field), lineEnd, fc.array(fc.nat({ max: 20 }))], { numRuns: 500 })(
  'however it is split, the events are the same',
  (fields, end, sizes) => {
    const stream = fields.map((line, index) => line + end + (index % 2 === 0 ? end : '')).join('')
    const pieces: string[] = []
    let from = 0
    for (const size of sizes) {
      pieces.push(stream.slice(from, from + size))
      from += size
    }
    expect(cut([...pieces, stream.slice(from)])).toEqual(cut([stream]))
    expect(cut(stream.split(''))).toEqual(cut([stream]))
  },
)

test('an event that does not end is given up before it fills the memory', () => {
  const cutter = eventCutter()
  const piece = 'y'.repeat(4 * 1024 * 1024)
  const feed = (times: number): void => {
    for (let n = 0; n < times; n += 1) cutter.feed(piece)
  }
  expect(() => feed(16)).not.toThrow()
  expect(() => feed(1)).toThrow('an event that does not end')
})
