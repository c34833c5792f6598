import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { chatAnswer } from '../../../../src/adapters/models/chat/answer.ts'
import { converse } from '../../../../src/adapters/models/served/converse.ts'
import { textOf, type AssistantMessage } from '../../../../src/protocol/conversation/message.ts'
import type { ModelEvent } from '../../../../src/protocol/models/model.ts'
import { request } from '../../../contracts/model.ts'
import { framed } from '../support/odd-answer.ts'

const says = (delta: object, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason }] })
const words = ['One ', 'two.'].map((content) => says({ content }))
const call = says({ tool_calls: [{ index: 0, id: 'c', function: { name: 'Read', arguments: '{}' } }] })
const end = [says({}, 'tool_calls'), '[DONE]']

/** An answer that comes in these pieces. */
const answering = (pieces: readonly string[], answer = chatAnswer()) => ({
  name: 'm',
  vendor: 'chat',
  secrets: [],
  request,
  answer,
  open: async () => Readable.from(pieces, { objectMode: false }).setEncoding('utf8'),
})

async function hear(pieces: readonly string[], abort = new AbortController(), onDelta = (): void => undefined) {
  const events: ModelEvent[] = []
  for await (const event of converse(answering(pieces), abort.signal)) {
    events.push(event)
    if (event.type !== 'settled') onDelta()
  }
  const deltas = events.flatMap((event) => (event.type === 'settled' ? [] : [[event.type, event.text]]))
  const last = events.at(-1)
  return { deltas, message: (last?.type === 'settled' ? last.message : undefined) as AssistantMessage }
}

test('deltas of one kind that come together are one; those of two kinds or two pieces stay apart', async () => {
  const thought = says({ reasoning_content: 'hm' })
  const { deltas, message } = await hear([framed([thought, thought, ...words]), framed([...words, call, ...end])])
  expect(deltas).toEqual([
    ['thinking', 'hmhm'],
    ['text', 'One two.'],
    ['text', 'One two.'],
  ])
  expect(message.stop).toBe('tools')
})

test('an abort is heard before what came in the same piece after a delta', async () => {
  const abort = new AbortController()
  const { message } = await hear([framed([...words, call, ...end])], abort, () => abort.abort())
  expect(message).toMatchObject({ stop: 'aborted', content: [{ type: 'text', text: 'One two.' }] })
})

test('an event that cannot be read breaks the answer, and the words before it are heard', async () => {
  const { deltas, message } = await hear([`${framed(words)}data: {"half\n\n`])
  expect(deltas).toEqual([['text', 'One two.']])
  expect(message.failure?.code).toBe('stream_broken')
  expect(textOf(message)).toBe('One two.')
})

test('answers are read in step: not before this pass of the event loop is over for all', async () => {
  const taken: string[] = []
  const reading = ['a', 'b'].map(async (name) => {
    const answer = chatAnswer()
    const take = (event: unknown): ReturnType<typeof answer.take> => {
      taken.push(name)
      return answer.take(event)
    }
    const body = new PassThrough({ encoding: 'utf8' })
    body.end(framed(words.slice(0, 1)))
    const exchange = { ...answering([], { ...answer, take }), open: async () => body }
    for await (const event of converse(exchange, new AbortController().signal)) expect(event).toHaveProperty('type')
  })
  await new Promise((resolve) => process.nextTick(resolve))
  expect(taken).toEqual([])
  await Promise.all(reading)
  expect(taken).toEqual(['a', 'b'])
})

test('an answer that does not end is not read for ever', async () => {
  const comment = `: ${'x'.repeat(4 * 1024 * 1024)}\n\n`
  const { message } = await hear([framed(words), ...Array.from({ length: 100 }, () => comment)])
  expect(message.failure).toMatchObject({
    code: 'stream_broken',
    message: expect.stringContaining('more than an answer') as string,
  })
})
