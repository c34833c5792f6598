import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anthropicAnswer } from '../../src/adapters/models/anthropic/answer.ts'
import { chatAnswer } from '../../src/adapters/models/chat/answer.ts'
import { converse } from '../../src/adapters/models/served/converse.ts'
import { responsesAnswer } from '../../src/adapters/models/openai/answer.ts'
import { callsOf, textOf, type AssistantMessage } from '../../src/protocol/conversation/message.ts'
import type { ModelServer } from '../adapters/models/support/model-server.ts'
import { listen, request } from '../contracts/model.ts'
import { all, bytesOf, modelFor, startWireServer } from './wire-server.ts'

/**
 * Every answer of the samples, broken at every boundary between two of its events: lost, ended as if it were whole, or
 * silent. What comes of it is either the whole answer or a failure with a beginning of its text and without a call.
 */
const answers = { anthropic: anthropicAnswer, 'openai-chat': chatAnswer, 'openai-responses': responsesAnswer }

/** After each event of a stream. */
const boundariesOf = (text: string): readonly number[] =>
  [...text.matchAll(/\r?\n\r?\n/g)].map(({ index, 0: gap }) => index + gap.length)

type Break = (body: PassThrough, abort: AbortController) => void

const breaks: Readonly<Record<'lost' | 'ended' | 'silent', Break>> = {
  lost: (body) => setImmediate(() => body.destroy(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }))),
  ended: (body) => body.end(),
  silent: (_, abort) => setImmediate(() => abort.abort()),
}

const hear = async (id: string, text: string, how: Break): Promise<AssistantMessage> => {
  const abort = new AbortController()
  const answer = answers[id.split('/')[0] as keyof typeof answers]()
  const exchange = {
    name: 'm',
    vendor: id,
    secrets: [],
    request,
    answer,
    open: async (signal: AbortSignal) => {
      const body = new PassThrough()
      signal.addEventListener('abort', () => body.destroy(new Error('aborted')))
      body.write(text)
      how(body, abort)
      return body.setEncoding('utf8')
    },
  }
  const settled: AssistantMessage[] = []
  for await (const event of converse(exchange, abort.signal)) if (event.type === 'settled') settled.push(event.message)
  expect(settled).toHaveLength(1)
  return settled[0] as AssistantMessage
}

const meaningOf = ({ content, stop }: AssistantMessage) => ({ content, stop })

const isWhole = (message: AssistantMessage, whole: AssistantMessage): boolean =>
  message.failure === undefined && JSON.stringify(meaningOf(message)) === JSON.stringify(meaningOf(whole))

describe('broken between two events', () => {
  test.for(all.flatMap(({ id }) => Object.keys(breaks).map((how) => [id, how as keyof typeof breaks] as const)))(
    '%s, %s',
    async ([id, how]) => {
      const text = bytesOf(id).toString()
      const whole = await hear(id, text, breaks.ended)
      const wrong: string[] = []
      for (const at of boundariesOf(text)) {
        const message = await hear(id, text.slice(0, at), breaks[how])
        const isCut =
          message.failure !== undefined && callsOf(message).length === 0 && textOf(whole).startsWith(textOf(message))
        if (!isCut && !isWhole(message, whole)) wrong.push(`${at}: ${JSON.stringify(meaningOf(message)).slice(0, 200)}`)
      }
      expect(wrong).toEqual([])
    },
  )
})

describe('ended inside its first event', () => {
  test.for(all)('$id is a broken stream, which may be asked for again', async ({ id }) => {
    const text = bytesOf(id).toString()
    const [first = 0] = boundariesOf(text)
    const codes = new Set<string | undefined>()
    for (const end of Array.from({ length: Math.min(first, 60) }).keys())
      codes.add((await hear(id, text.slice(0, end), breaks.ended)).failure?.code)
    expect([...codes]).toEqual(['stream_broken'])
  })
})

let server: ModelServer
beforeAll(async () => {
  server = await startWireServer()
})
afterAll(() => server.close())

describe('a server that falls silent between two events', () => {
  const few = all.filter(({ bytes }) => bytes < 3_000)
  test.for(few)('$id is given up after its time', async ({ id }) => {
    const text = bytesOf(id).toString()
    const whole = (await listen(await modelFor(id, server.root))).message
    const stalled = async (at: number): Promise<AssistantMessage> => {
      return (await listen(await modelFor(`${id}?stall=${at}`, server.root, { idleMs: 40 }))).message
    }
    for (const message of await Promise.all(boundariesOf(text).map(stalled))) {
      if (isWhole(message, whole)) continue
      expect(callsOf(message)).toEqual([])
      expect(['timed_out', whole.failure?.code]).toContain(message.failure?.code)
    }
  })
})
