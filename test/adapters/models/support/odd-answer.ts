import { Readable } from 'node:stream'
import { expect } from 'vitest'
import { anthropicAnswer } from '../../../../src/adapters/models/anthropic/answer.ts'
import { anthropicVendor } from '../../../../src/adapters/models/anthropic/rounds.ts'
import { chatAnswer } from '../../../../src/adapters/models/chat/answer.ts'
import { chatVendor } from '../../../../src/adapters/models/chat/rounds.ts'
import { converse } from '../../../../src/adapters/models/served/converse.ts'
import { responsesAnswer } from '../../../../src/adapters/models/openai/answer.ts'
import { openAiVendor } from '../../../../src/adapters/models/openai/rounds.ts'
import { callsOf, textOf, type AssistantMessage } from '../../../../src/protocol/conversation/message.ts'
import type { ModelRequest } from '../../../../src/protocol/models/model.ts'
import { request } from '../../../contracts/model.ts'

const wires = {
  anthropic: { vendor: anthropicVendor, answer: anthropicAnswer },
  responses: { vendor: openAiVendor, answer: responsesAnswer },
  chat: { vendor: chatVendor, answer: chatAnswer },
}

/** What a careful reader takes an answer for; what is not named must be absent. */
export interface Meaning {
  readonly text?: string
  readonly thinking?: string
  readonly calls?: readonly (readonly [name: string, input: unknown])[]
  /** Arguments that could not be read: such a call never runs. */
  readonly malformed?: readonly string[]
  /** Types of the blocks that are kept unread. */
  readonly items?: readonly unknown[]
  readonly stop: AssistantMessage['stop']
  readonly failure?: string
  /** Input, output, read from the cache, written to it. */
  readonly usage?: readonly number[]
}

/** One answer as its bytes (a text, or events to be framed) and what it means. */
export type Odd = readonly [name: string, sent: string | readonly unknown[], means: Meaning]

/** The events as a server sends them. */
export function framed(events: readonly unknown[]): string {
  return events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')
}

/** Hears an answer that comes in pieces of so many bytes. */
export async function hearOdd(
  wire: keyof typeof wires,
  sent: Odd[1],
  { size = 1e9, asked = request }: { readonly size?: number; readonly asked?: ModelRequest } = {},
): Promise<AssistantMessage> {
  const { vendor, answer } = wires[wire]
  const bytes = Buffer.from(typeof sent === 'string' ? sent : framed(sent))
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
  const open = async (): Promise<Readable> => Readable.from(pieces, { objectMode: false }).setEncoding('utf8')
  const exchange = { name: 'm', vendor, secrets: [], request: asked, answer: answer(), open }
  const heard: AssistantMessage[] = []
  for await (const event of converse(exchange, new AbortController().signal))
    if (event.type === 'settled') heard.push(event.message)
  expect(heard).toHaveLength(1)
  return heard[0] as AssistantMessage
}

/** What was heard, in the words of a table. */
export function meaningOf(message: AssistantMessage, means: Meaning): Meaning {
  const { usage } = message
  const calls = callsOf(message)
  const thinking = message.content.map((block) => (block.type === 'thinking' ? block.text : '')).join('|')
  const items = message.content.flatMap((block) =>
    block.type === 'foreign' ? [(block.raw as { type: unknown }).type] : [],
  )
  const good = calls.filter(({ malformed }) => malformed === undefined)
  const bad = calls.flatMap(({ malformed }) => malformed ?? [])
  const thoughts = thinking.replaceAll(/^\|+|\|+$/g, '').replaceAll(/\|+/g, '|')
  return {
    stop: message.stop,
    ...(textOf(message) === '' ? {} : { text: textOf(message) }),
    ...(thoughts === '' ? {} : { thinking: thoughts }),
    ...(good.length === 0 ? {} : { calls: good.map(({ name, input }) => [name, input] as const) }),
    ...(bad.length === 0 ? {} : { malformed: bad }),
    ...(items.length === 0 ? {} : { items }),
    ...(message.failure === undefined ? {} : { failure: message.failure.code }),
    ...(means.usage ? { usage: [usage.input, usage.output, usage.cache_read, usage.cache_write] } : {}),
  }
}
