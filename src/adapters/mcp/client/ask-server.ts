import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ErrorCode, McpError, ReadResourceResultSchema, type Progress } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { McpAnswer, McpAsk, McpContent, McpListing } from '../../../protocol/mcp/listing.ts'
import type { McpServerSpec } from '../../../protocol/mcp/server-spec.ts'
import { errorText } from '../../../protocol/words/error-text.ts'
import { cutWords } from '../../../rules/mcp/cut-words.ts'
import { mostPatience, usualTimeout } from './open-transport.ts'
import { pages } from './read-listing.ts'

export interface AskOptions {
  readonly signal: AbortSignal
  /** How far the server says that it is. */
  progress(text: string): void
}

/** One server, as those see it who ask something of it. */
interface Asked {
  readonly client: Client
  readonly spec: McpServerSpec
  /** The server's offer at this moment. */
  readonly listing: () => McpListing
  closed?(reason: string): void
  unauthorized?(reason: string): void
}

const resultShape = z.looseObject({
  content: z.array(z.record(z.string(), z.unknown())).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
})

/** Asks something of a server. It never rejects: why there is no result is an answer, too. */
export async function askServer(server: Asked, asked: McpAsk, { signal, progress }: AskOptions): Promise<McpAnswer> {
  const timeout = server.spec.timeout ?? usualTimeout
  const options = {
    signal,
    timeout,
    resetTimeoutOnProgress: true,
    maxTotalTimeout: timeout * mostPatience,
    onprogress: (said: Progress) => progress(progressText(said)),
  }
  try {
    const answer = await answered(server, asked, options)
    return isDeep(answer) ? { trouble: 'its result is nested too deep', transient: false } : answer
  } catch (error) {
    return troubleOf(server, error, { aborted: signal.aborted, timeout })
  }
}

const deepest = 200

/** Whether a value has more levels than can be written down again. */
function isDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true
    level = level.flatMap((part) =>
      typeof part === 'object' && part !== null ? (Object.values(part) as unknown[]) : [],
    )
  }
  return false
}

type Options = NonNullable<Parameters<Client['request']>[2]>

async function answered(server: Asked, asked: McpAsk, options: Options): Promise<McpAnswer> {
  const { client } = server
  if (asked.kind === 'tool') return toolAnswer(server, asked, options)
  if (asked.kind === 'resource') {
    const params = { uri: asked.uri }
    const { contents } = await client.request({ method: 'resources/read', params }, ReadResourceResultSchema, options)
    return { content: contents.map((resource) => ({ type: 'resource', resource })), isError: false }
  }
  if (asked.kind === 'resources') {
    const all = await pages(client, { method: 'resources/list', key: 'resources' }, { options, warnings: [] })
    return { content: all.map((each) => ({ ...(each as McpContent), type: 'resource_link' })), isError: false }
  }
  const { messages } = await client.getPrompt({ name: asked.prompt, arguments: { ...asked.input } }, options)
  return { content: messages.map(({ content }) => content), isError: false }
}

async function toolAnswer(
  { client, listing }: Asked,
  { tool, input }: McpAsk & { readonly kind: 'tool' },
  options: Options,
): Promise<McpAnswer> {
  const params = { name: tool, arguments: (input ?? {}) as Record<string, unknown> }
  const isTask = listing().tools.some(({ name, task }) => task === true && name === tool)
  if (isTask) return resultOf(await asTask(client, params, options))
  return resultOf(await client.request({ method: 'tools/call', params }, resultShape, options))
}

/** A tool that is called now and gives its result later. */
async function asTask(
  client: Client,
  params: { readonly name: string; readonly arguments: Record<string, unknown> },
  options: Options,
): Promise<z.infer<typeof resultShape>> {
  const stream = client.experimental.tasks.requestStream({ method: 'tools/call', params }, resultShape, {
    ...options,
    task: {},
  })
  let taskId: string | null = null
  try {
    for await (const message of stream) {
      if (message.type === 'taskCreated') taskId = message.task.taskId
      if (message.type === 'error') throw message.error
      if (message.type === 'result') return message.result
    }
  } finally {
    if (taskId !== null && options.signal?.aborted === true)
      await client.experimental.tasks.cancelTask(taskId).catch(() => undefined)
  }
  throw new Error('its task ended without a result')
}

function resultOf({ content = [], structuredContent, isError }: z.infer<typeof resultShape>): McpAnswer {
  return {
    content,
    ...(structuredContent === undefined ? {} : { structured: structuredContent }),
    isError: isError === true,
  }
}

function progressText({ progress, total, message }: Progress): string {
  const part = total === undefined ? `${progress}` : `${progress}/${total}`
  return message === undefined ? part : cutWords(`${part} ${message}`)
}

function troubleOf(
  { unauthorized, closed }: Asked,
  error: unknown,
  { aborted, timeout }: { readonly aborted: boolean; readonly timeout: number },
): McpAnswer {
  if (aborted) return { trouble: 'it was interrupted. What it had done by then is unknown.', transient: false }
  if (hasStatus(error, [403])) return { trouble: `it refuses: ${cutWords(errorText(error))}`, transient: false }
  if (error instanceof UnauthorizedError || hasStatus(error, [401])) {
    unauthorized?.('it wants a login: troupe mcp login')
    return { trouble: 'it wants a login; a person can give it one with troupe mcp login', transient: false }
  }
  // A session that is over takes with it all that was said in it.
  if (hasStatus(error, [404])) {
    closed?.('its session is over')
    return { trouble: 'its session was over; it is being connected anew', transient: true }
  }
  if (isTimeout(error))
    return { trouble: `no answer within ${timeout / 1_000} s. What it had done by then is unknown.`, transient: true }
  if (isConnectionClosed(error))
    return { trouble: 'the connection broke. What it had done by then is unknown.', transient: true }
  return { trouble: cutWords(errorText(error)), transient: hasStatus(error, [429, 502, 503, 504]) }
}

// The SDK's own errors have codes that servers use for theirs as well: they are told apart by their words.

function isTimeout(error: unknown): boolean {
  const words = /: (Request timed out|Maximum total timeout exceeded)$/
  return error instanceof McpError && error.code === (ErrorCode.RequestTimeout as number) && words.test(error.message)
}

/** The connection ended while somebody waited for an answer over it. */
export function isConnectionClosed(error: unknown): boolean {
  const isCode = error instanceof McpError && error.code === (ErrorCode.ConnectionClosed as number)
  return isCode && error.message.endsWith(': Connection closed')
}

function hasStatus(error: unknown, statuses: readonly number[]): boolean {
  return error instanceof Error && 'code' in error && statuses.includes(error.code as number)
}
