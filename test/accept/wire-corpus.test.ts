import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { failureClasses, type FailureCode } from '../../src/protocol/conversation/failure.ts'
import { callsOf, textOf, type AssistantMessage } from '../../src/protocol/conversation/message.ts'
import { listen } from '../contracts/model.ts'
import { furtherCases } from './further-cases.ts'
import { modelFor, wireModel } from './wire-server.ts'

/** Recorded answers and failures of the vendors that others gathered, played by their own server. */

const { folder, present } = furtherCases('wire')

/** A text, or what is left of one that is too long to be written down. */
const written = z.union([z.string(), z.object({ length: z.number(), sha256: z.string() })])
const meant = z.object({
  text: written,
  thinking: z.array(z.object({ text: written, signature: z.string().optional() })),
  redactedThinking: z.array(z.unknown()),
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), input: z.unknown() })),
  serverItems: z.array(z.object({ type: z.string(), id: z.string().nullish() })),
  usage: z.record(z.string(), z.number().nullish()),
  error: z.unknown(),
})
const listed = z.object({ id: z.string(), bytes: z.number(), summary: z.string(), expected: z.string().optional() })
const failing = z.object({ expected: z.object({ kind: z.string(), retry: z.boolean() }) })

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'))
const manifest = present ? z.array(listed).parse(readJson('manifest.json')) : []
const failures = present ? readdirSync(join(folder, 'http-errors')).filter((name) => /^[a-z]/.test(name)) : []

let server: ChildProcess | undefined
let root = ''
beforeAll(async () => {
  if (manifest.length === 0) return
  server = spawn(process.execPath, [join(folder, 'server.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = await new Promise<string>((heard) => server?.stdout?.once('data', (data) => heard(String(data))))
  root = `http://127.0.0.1:${z.object({ port: z.number() }).parse(JSON.parse(said)).port}`
})
afterAll(() => void server?.kill())

const hear = async (id: string): Promise<AssistantMessage> => {
  const { message } = await listen(await modelFor(id, root))
  return { ...message, model: '' }
}

const isWritten = (text: string, { length, sha256 }: { readonly length: number; readonly sha256: string }): boolean =>
  text.length === length && createHash('sha256').update(text).digest('hex').startsWith(sha256)

const isSame = (text: string, said: z.infer<typeof written>): boolean =>
  typeof said === 'string' ? text === said : isWritten(text, said)

interface Seal {
  readonly redacted?: string
}

function thoughtsOf({ content }: AssistantMessage) {
  const all = content.filter((block) => block.type === 'thinking')
  const isRedacted = ({ opaque }: (typeof all)[number]): boolean => (opaque as Seal | undefined)?.redacted !== undefined
  return { open: all.filter((block) => !isRedacted(block)), redacted: all.filter(isRedacted) }
}

const itemsOf = ({ content }: AssistantMessage) =>
  content.flatMap((block) => (block.type === 'foreign' ? [block.raw as { type: string; id?: string }] : []))

/** What a transcript means, where its authors wrote that down. */
function compare(message: AssistantMessage, file: string): void {
  const wanted = meant.parse(readJson(file))
  const { open, redacted } = thoughtsOf(message)
  const calls = callsOf(message).filter(({ malformed }) => malformed === undefined)
  expect(isSame(textOf(message), wanted.text)).toBe(true)
  expect(open).toHaveLength(wanted.thinking.length)
  for (const [n, { text }] of open.entries()) expect(isSame(text, wanted.thinking[n]?.text ?? '')).toBe(true)
  expect(redacted).toHaveLength(wanted.redactedThinking.length)
  expect(calls.map(({ id, name, input }) => ({ id, name, input }))).toEqual(wanted.toolCalls)
  expect(itemsOf(message).map(({ type }) => type)).toEqual(wanted.serverItems.map(({ type }) => type))
  expect(message.stop === 'error').toBe(wanted.error !== null)
  // Some vendors count what their cache served as input, some beside it.
  const { input = 0, output = 0, cacheRead = 0 } = wanted.usage
  expect(message.usage.output).toBe(output ?? 0)
  expect([message.usage.input, message.usage.input + (cacheRead ?? 0)]).toContain(input ?? 0)
  expect(message.usage.cache_read).toBe(cacheRead ?? 0)
}

/** The rest have a line of figures. */
function counted(message: AssistantMessage): string {
  const { open, redacted } = thoughtsOf(message)
  const bad = callsOf(message).filter(({ malformed }) => malformed !== undefined).length
  const figures = [
    `text=${textOf(message).length}`,
    `think=${open.length}+${redacted.length}r`,
    `tools=${callsOf(message).length - bad}/${bad}bad`,
    `server=${itemsOf(message).length}`,
  ]
  return figures.join(' ')
}

/** The same answer, its bytes cut and coded in other ways. */
async function otherWays({ id, bytes }: z.infer<typeof listed>): Promise<readonly AssistantMessage[]> {
  const ways = bytes < 6_000 ? ['bytes=7', 'crlf=1&bytes=13', 'gzip=1&bytes=11'] : []
  return Promise.all(ways.map((way) => hear(`${id}?${way}`)))
}

const told = manifest.filter(({ expected }) => expected !== undefined)
const figured = manifest.filter(({ expected }) => expected === undefined)

test.runIf(present)('the listing names answers of both kinds', () => {
  expect([told, figured, failures].map(({ length }) => length > 0)).toEqual([true, true, true])
})

test.for(told)('$id means what was written down', async (listing) => {
  const whole = await hear(listing.id)
  compare(whole, listing.expected ?? '')
  for (const other of await otherWays(listing)) expect(other).toEqual(whole)
})

test.for(figured)('$id has as much as was counted', async (listing) => {
  const whole = await hear(listing.id)
  expect(listing.summary).toContain(counted(whole))
  for (const other of await otherWays(listing)) expect(other).toEqual(whole)
})

const codes: Readonly<Record<string, readonly FailureCode[]>> = {
  context_overflow: ['context_exceeded'],
  bad_request: ['invalid_request'],
  auth: ['unauthorized', 'forbidden'],
  billing: ['forbidden'],
  not_found: ['not_found'],
  rate_limit: ['rate_limited'],
  server: ['server_error', 'timed_out'],
  overloaded: ['overloaded'],
}

test.for(failures)('%s', async (name) => {
  const { expected } = failing.parse(readJson(`http-errors/${name}`))
  const apis = name.startsWith('anthropic') ? ['anthropic'] : ['openai-chat', 'openai-responses']
  for (const api of name.startsWith('gateway') ? ['anthropic', ...apis] : apis) {
    const { message } = await listen(await wireModel(api, `http/${name.replace('.json', '')}`, { root }))
    expect(message).toMatchObject({ stop: 'error', content: [] })
    const { code = 'aborted', retry } = message.failure ?? {}
    expect(codes[expected.kind]).toContain(code)
    expect(retry !== false && failureClasses[code] === 'retry').toBe(expected.retry)
  }
})
