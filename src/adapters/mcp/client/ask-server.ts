import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import {
  CreateTaskResultSchema,
  ErrorCode,
  McpError,
  ReadResourceResultSchema,
  type Progress,
} from '@modelcontextprotocol/sdk/types.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { McpAnswer, McpAsk, McpContent, McpListing } from '../../../protocol/mcp/listing.ts'
import type { McpServerSpec } from '../../../protocol/mcp/server-spec.ts'
import { errorText } from '../../../protocol/words/error-text.ts'
import { isDeeper } from '../../../protocol/words/is-deeper.ts'
import { cutWords } from '../../../rules/mcp/cut-words.ts'
import { longestTimer } from '../../../protocol/words/duration.ts'
import { openPatience } from './call-patience.ts'
import { usualTimeout } from './open-transport.ts'
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
  /** Whether somebody thinks about a question of the server at this moment. */
  readonly isAsking: () => boolean
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
  const patience = openPatience(timeout, server.isAsking)
  const options: Options = {
    signal: AbortSignal.any([signal, patience.over]),
    timeout: longestTimer,
    alive(words: string) {
      patience.renew()
      if (words !== '') progress(words)
    },
    onprogress: (said: Progress) => options.alive(progressText(said)),
  }
  try {
    const answer = await answered(server, asked, options)
    return isDeeper(answer, deepest) ? { trouble: 'its result is nested too deep', transient: false } : answer
  } catch (error) {
    return troubleOf(server, error, { aborted: signal.aborted, late: patience.over })
  } finally {
    patience.close()
  }
}

/** Levels of a result that can be written down again. */
const deepest = 200

type Options = RequestOptions & {
  readonly signal: AbortSignal
  /** The server said that it works on it. */
  alive(words: string): void
}

async function answered(server: Asked, asked: McpAsk, options: Options): Promise<McpAnswer> {
  const { client } = server
  if (asked.kind === 'tool') return toolAnswer(server, asked, options)
  if (asked.kind === 'resource') {
    const params = { uri: asked.uri, ...metaOf(asked) }
    const { contents } = await client.request({ method: 'resources/read', params }, ReadResourceResultSchema, options)
    return { content: contents.map((resource) => ({ type: 'resource', resource })), isError: false }
  }
  if (asked.kind === 'resources') {
    const list = { method: 'resources/list', key: 'resources', ...metaOf(asked) } as const
    const all = await pages(client, list, { options, warnings: [] })
    return { content: all.map((each) => ({ ...(each as McpContent), type: 'resource_link' })), isError: false }
  }
  const params = { name: asked.prompt, arguments: { ...asked.input }, ...metaOf(asked) }
  const { messages } = await client.getPrompt(params, options)
  return { content: messages.map(({ content }) => content), isError: false }
}

async function toolAnswer(
  { client, listing }: Asked,
  asked: McpAsk & { readonly kind: 'tool' },
  options: Options,
): Promise<McpAnswer> {
  const { tool, input, mark } = asked
  const params = { name: tool, arguments: (input ?? {}) as Record<string, unknown>, ...metaOf(asked) }
  const now = listing().tools.find(({ name }) => name === tool)
  // The permission of the call was given for the tool as it was then.
  if (mark !== undefined && now?.mark !== mark)
    return {
      trouble: `${tool} has changed since it was offered, and was not called: look at it anew`,
      transient: false,
    }
  if (now?.task === true) return resultOf(await asTask(client, params, options))
  return resultOf(await client.request({ method: 'tools/call', params }, resultShape, options))
}

/** The place of a request in a trace. Source: MCP SEP-414; OpenTelemetry, "Semantic conventions for Model Context Protocol" */
function metaOf({ traceparent }: McpAsk): { readonly _meta?: { readonly traceparent: string } } {
  return traceparent === undefined ? {} : { _meta: { traceparent } }
}

/** Between two looks at a task, in milliseconds, whatever the server wants. */
const [shortestPause, usualPause, longestPause] = [200, 1_000, 30_000]

/** A tool that is called now and gives its result later. The SDK's own loop looks as often, and as seldom, as a server likes. */
async function asTask(
  client: Client,
  params: { readonly name: string; readonly arguments: Record<string, unknown> },
  options: Options,
): Promise<z.infer<typeof resultShape>> {
  const { tasks } = client.experimental
  const asked = { ...options, task: {} }
  let { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema, asked)
  const { taskId } = task
  try {
    while (task.status === 'working') {
      const wished = task.pollInterval ?? usualPause
      const pause = Math.min(Math.max(wished, shortestPause), longestPause)
      await sleep(pause, undefined, { signal: options.signal })
      task = await tasks.getTask(taskId, options)
      options.alive(cutWords(task.statusMessage ?? ''))
    }
    if (task.status === 'cancelled') throw new Error('its task was cancelled')
    return await tasks.getTaskResult(taskId, resultShape, options)
  } finally {
    if (options.signal.aborted) void tasks.cancelTask(taskId, { timeout: usualTimeout }).catch(() => undefined)
  }
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
  { aborted, late }: { readonly aborted: boolean; readonly late: AbortSignal },
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
  if (late.aborted)
    return { trouble: `${errorText(late.reason)}. What it had done by then is unknown.`, transient: true }
  if (isConnectionClosed(error) || hasStatus(error, ['EPIPE']))
    return { trouble: 'the connection broke. What it had done by then is unknown.', transient: true }
  return { trouble: cutWords(errorText(error)), transient: hasStatus(error, [429, 502, 503, 504]) }
}

/** The connection ended while somebody waited for an answer over it. Servers use the SDK's codes: its words tell. */
export function isConnectionClosed(error: unknown): boolean {
  const isCode = error instanceof McpError && error.code === (ErrorCode.ConnectionClosed as number)
  return isCode && error.message.endsWith(': Connection closed')
}

function hasStatus(error: unknown, statuses: readonly (number | string)[]): boolean {
  return error instanceof Error && 'code' in error && statuses.includes(error.code as number | string)
}
