import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callsOf, textOf, type AssistantMessage } from '../../src/protocol/conversation/message.ts'
import type { ModelServer } from '../adapters/models/support/model-server.ts'
import { listen } from '../contracts/model.ts'
import { all, meaningOf, modelFor, startWireServer, type Meaning, type Sample } from './wire-server.ts'

/** Answers must come out as what they mean: whole, in pieces of seven bytes and byte by byte. */
let server: ModelServer
beforeAll(async () => {
  server = await startWireServer()
})
afterAll(() => server.close())

const splits = (limit: number): readonly Sample[] => all.filter(({ bytes }) => bytes < limit)

const hear = async (id: string): Promise<AssistantMessage> => (await listen(await modelFor(id, server.root))).message

/** The message but for the model's name, in which these tests put what they want. */
const meaning = async (id: string): Promise<AssistantMessage> => ({ ...(await hear(id)), model: '' })

describe('answers on the wire', () => {
  test.for(all)('$id means what it should', async ({ id }) => {
    expect(said(await hear(id))).toEqual(meaningOf(id))
  })

  test.for(splits(40_000))('$id in pieces of seven bytes', async ({ id }) => {
    const whole = await meaning(id)
    expect(await meaning(`${id}?bytes=7`)).toEqual(whole)
  })

  test.for(splits(8_000))('$id byte by byte, with CRLF and compressed', async ({ id }) => {
    const whole = await meaning(id)
    expect(await meaning(`${id}?bytes=1`)).toEqual(whole)
    expect(await meaning(`${id}?bytes=5&crlf=1`)).toEqual(whole)
    expect(await meaning(`${id}?gzip=1`)).toEqual(whole)
  })

  test.for(all)('$id cut anywhere runs nothing', async ({ id, bytes }) => {
    for (const part of [0.3, 0.6, 0.9]) {
      const message = await hear(`${id}?cut=${Math.floor(bytes * part)}`)
      if (message.stop !== 'error') continue
      expect(callsOf(message)).toEqual([])
      expect(['stream_broken', 'connection_lost', meaningOf(id).failure]).toContain(message.failure?.code)
    }
  })
})

interface Seal {
  readonly signature?: string
  readonly redacted?: string
  readonly item?: { readonly encrypted_content?: string }
}

/** What was heard, in the words of the samples. */
function said(message: AssistantMessage): Meaning {
  const thoughts = message.content.filter((block) => block.type === 'thinking')
  const seal = (opaque: unknown): Seal => opaque ?? {}
  const items = message.content.filter((block) => block.type === 'foreign').map(({ raw }) => raw)
  const calls = callsOf(message).filter(({ malformed }) => malformed === undefined)
  return {
    text: textOf(message),
    thinking: thoughts.filter(({ opaque }) => seal(opaque).redacted === undefined).map(({ text }) => text),
    signed: thoughts.filter(({ opaque }) => seal(opaque).signature ?? seal(opaque).item?.encrypted_content).length,
    redacted: thoughts.flatMap(({ opaque }) => seal(opaque).redacted ?? []),
    calls: calls.map(({ id, name, input }) => ({ id, name, input })),
    items: (items as { type: string; id?: string }[]).map(({ type, id }) => [type, id ?? null]),
    stop: message.stop,
    ...(message.failure === undefined ? {} : { failure: message.failure.code }),
    usage: { ...message.usage, reasoning: message.usage.reasoning ?? 0 },
  }
}
