import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callsOf, textOf, type AssistantMessage } from '../../src/protocol/conversation/message.ts'
import { listen } from '../contracts/model.ts'
import { isThere, modelFor, readJson, startWireServer, type WireServer } from './wire-server.ts'

/**
 * Answers that vendors really gave, recorded by others, must come out as what they mean: whole, in pieces of
 * seven bytes and byte by byte.
 */
interface Line {
  readonly id: string
  readonly bytes: number
  readonly expected?: string
  /** `end_turn text=108 think=0+0r tools=0/0bad server=0`, of every transcript. */
  readonly summary: string
}

interface Shortened {
  readonly sha256: string
}

interface Expected {
  readonly complete: boolean
  readonly stopReason: string | null
  readonly text: string | Shortened
  readonly refusal: string | null
  readonly thinking: readonly { readonly text: string | Shortened; readonly signature?: string }[]
  readonly redactedThinking: readonly string[]
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[]
  readonly incompleteToolCalls: readonly { readonly id: string }[]
  readonly serverItems: readonly { readonly type: string; readonly id?: string }[]
  readonly usage: Readonly<Record<'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'reasoning', number | null>>
  readonly error: { readonly type: string; readonly message: string } | null
}

let server: WireServer
beforeAll(async () => {
  if (isThere) server = await startWireServer()
  else console.warn('skipped: ../shared/accept/wire is absent')
})
afterAll(() => server?.stop())

const all = isThere ? (readJson('manifest.json') as Line[]) : []
const lines = all.filter(({ expected }) => expected !== undefined)
const splits = (limit: number): Line[] => lines.filter(({ bytes }) => bytes < limit)

const hear = async (id: string): Promise<AssistantMessage> => (await listen(await modelFor(id, server.port))).message

/** The message but for the model's name, in which these tests put what they want. */
const meaning = async (id: string): Promise<AssistantMessage> => ({ ...(await hear(id)), model: '' })

describe.skipIf(!isThere)('recorded answers', () => {
  test.for(lines)('$id means what it should', async ({ id, expected = '' }) => {
    expect(said(await hear(id))).toEqual(meant(readJson(expected) as Expected, id))
  })

  test.for(all)('$id has the parts that its summary counts', async ({ id, summary }) => {
    const message = await hear(id)
    const thoughts = message.content.filter((block) => block.type === 'thinking')
    const redacted = thoughts.filter(({ opaque }) => opaque instanceof Object && 'redacted' in opaque).length
    const calls = callsOf(message).filter(({ malformed }) => malformed === undefined).length
    const items = message.content.filter(({ type }) => type === 'foreign').length
    const counted = `text=${textOf(message).length} think=${thoughts.length - redacted}+${redacted}r tools=${calls}/`
    expect(summary).toContain(counted)
    expect(summary).toMatch(message.failure === undefined ? new RegExp(`server=${items}$`) : /^(ERROR|refusal)/)
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

  test.for(lines.filter(({ id }) => /tool|stream\.0|text/.test(id)))('$id cut anywhere runs nothing', async (line) => {
    for (const part of [0.3, 0.6, 0.9]) {
      const message = await hear(`${line.id}?cut=${Math.floor(line.bytes * part)}`)
      if (message.stop !== 'error') continue
      expect(callsOf(message)).toEqual([])
      expect(message.failure?.code).toMatch(/^(stream_broken|server_error)$/)
    }
  })
})

const stops: Readonly<Record<string, AssistantMessage['stop']>> = {
  end_turn: 'end',
  stop: 'end',
  tool_use: 'tools',
  tool_calls: 'tools',
  refusal: 'refusal',
  null: 'error',
}

/** What was expected, in our words. */
function meant(expected: Expected, id: string) {
  const { usage, toolCalls, serverItems, stopReason } = expected
  const inclusive = id.startsWith('openai')
  return {
    text: digest(expected.text),
    thinking: expected.thinking.map(({ text }) => digest(text)),
    signed: expected.thinking.filter(({ signature }) => Boolean(signature)).length,
    redacted: expected.redactedThinking,
    calls: toolCalls.map(({ id: call, name, input }) => ({ id: call, name, input })),
    items: serverItems.map(({ type, id: item }) => [type, item]),
    stop: stops[String(stopReason)] ?? (toolCalls.length > 0 ? 'tools' : 'end'),
    failed: expected.error !== null || !expected.complete || stopReason === 'refusal',
    usage: {
      input: inclusive ? (usage.input ?? 0) - (usage.cacheRead ?? 0) : (usage.input ?? 0),
      output: usage.output ?? 0,
      cache_read: usage.cacheRead ?? 0,
      cache_write: usage.cacheWrite ?? 0,
      reasoning: usage.reasoning ?? 0,
    },
  }
}

function said(message: AssistantMessage) {
  const thoughts = message.content.filter((block) => block.type === 'thinking')
  const seal = (opaque: unknown): { signature?: string; redacted?: string; item?: { encrypted_content?: string } } =>
    opaque ?? {}
  const items = message.content.filter((block) => block.type === 'foreign').map(({ raw }) => raw)
  return {
    text: digest(textOf(message)),
    thinking: thoughts.filter(({ opaque }) => seal(opaque).redacted === undefined).map(({ text }) => digest(text)),
    signed: thoughts.filter(({ opaque }) => seal(opaque).signature ?? seal(opaque).item?.encrypted_content).length,
    redacted: thoughts.flatMap(({ opaque }) => seal(opaque).redacted ?? []),
    calls: callsOf(message)
      .filter(({ malformed }) => malformed === undefined)
      .map(({ id, name, input }) => ({ id, name, input })),
    items: (items as { type: string; id?: string }[]).map(({ type, id }) => [type, id]),
    stop: message.stop,
    failed: message.failure !== undefined,
    usage: { reasoning: 0, ...message.usage },
  }
}

function digest(text: string | Shortened): string {
  return typeof text === 'string' ? createHash('sha256').update(text).digest('hex') : text.sha256
}
