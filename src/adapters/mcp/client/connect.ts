import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ErrorCode,
  ListRootsRequestSchema,
  McpError,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { McpAnswer, McpAsk, McpListing, McpQuestion, McpReply } from '../../../protocol/mcp/listing.ts'
import type { McpServerSpec } from '../../../protocol/mcp/server-spec.ts'
import { errorText } from '../../../protocol/words/error-text.ts'
import { cutWords } from '../../../rules/mcp/cut-words.ts'
import { askServer, isConnectionClosed, type AskOptions } from './ask-server.ts'
import { openTransport, usualTimeout, WrongServer, type ConnectionPlace } from './open-transport.ts'
import { readListing } from './read-listing.ts'
import { StdioTransport } from './stdio-transport.ts'

/** A connection to one server, from when it has said what it offers until it is closed. */
export interface ServerConnection {
  readonly listing: McpListing
  ask(asked: McpAsk, options: AskOptions): Promise<McpAnswer>
  /** Resolves when everything of it has ended. */
  close(): Promise<void>
}

export interface ConnectOptions extends ConnectionPlace {
  readonly version: string
  /** Directories that the server may work in. */
  readonly roots: readonly string[]
  /** A transport that is there already, instead of one that the entry describes. */
  readonly transport?: Transport
  /** Gives up waiting for it to begin. */
  readonly signal?: AbortSignal
  /** The server offers something else now. */
  changed?(listing: McpListing): void
  closed?(reason: string): void
  unauthorized?(reason: string): void
  /** The server asks the member whose call is in flight. */
  question(question: McpQuestion, signal: AbortSignal): Promise<McpReply>
}

/** A login is needed before anything else. */
export class LoginNeeded extends Error {}

/** The connection of the entry cannot be made, and would not be made the next time. */
export class HopelessServer extends Error {}

const usualStartMs = 30_000

/**
 * Connects to a server and asks what it offers.
 *
 * @throws LoginNeeded, HopelessServer, or what went wrong this time
 * @example await connectServer({ command: 'npx', args: ['-y', 'server-memory'] }, options)
 */
export async function connectServer(spec: McpServerSpec, options: ConnectOptions): Promise<ServerConnection> {
  const startMs = spec.startupTimeout ?? usualStartMs
  const signal = AbortSignal.any([...(options.signal ? [options.signal] : []), AbortSignal.timeout(startMs)])
  const request: RequestOptions = { timeout: startMs, maxTotalTimeout: startMs, signal }
  const transport = options.transport ?? (await transportOf(spec, options))
  const { client, isAsking } = newClient(options)
  let open = true
  const close = async (): Promise<void> => {
    open = false
    if (transport instanceof StreamableHTTPClientTransport) await endSession(transport)
    await client.close().catch(() => undefined)
    if (transport instanceof StdioTransport) await transport.close()
  }
  try {
    await beforeEnd(client.connect(transport, request), signal)
    let listing = await readListing(client, request)
    hearChanges({
      client,
      spec,
      isOpen: () => open,
      changed(now) {
        if (isDeepStrictEqual(now, listing)) return
        listing = now
        options.changed?.(now)
      },
    })
    hearEnd(client, () => {
      if (!open) return
      open = false
      options.closed?.(lastWordsOf(transport, 'it closed the connection'))
    })
    const asked = { client, spec, ...options, listing: () => listing, isAsking }
    return { listing, ask: (what, how) => askServer(asked, what, how), close }
  } catch (error) {
    await close()
    throw beginningFailed(error, { transport, late: signal.aborted && options.signal?.aborted !== true, startMs })
  }
}

/** A beginning of which no answer comes, whatever it waits for, ends with the signal. */
async function beforeEnd(beginning: Promise<void>, signal: AbortSignal): Promise<void> {
  const ended = Promise.withResolvers<never>()
  const end = (): void => ended.reject(signal.reason as Error)
  signal.addEventListener('abort', end, { once: true })
  try {
    signal.throwIfAborted()
    await Promise.race([beginning, ended.promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}

async function transportOf(spec: McpServerSpec, place: ConnectionPlace): Promise<Transport> {
  try {
    return await openTransport(spec, place)
  } catch (error) {
    throw error instanceof WrongServer ? new HopelessServer(error.message) : error
  }
}

function newClient({ version, roots, question }: ConnectOptions) {
  const client = new Client(
    { name: 'troupe', version },
    {
      capabilities: {
        roots: { listChanged: false },
        sampling: {},
        elicitation: { form: { applyDefaults: true } },
      },
    },
  )
  client.setRequestHandler(ListRootsRequestSchema, () => ({
    roots: roots.map((root) => ({ uri: pathToFileURL(root).href, name: root })),
  }))
  let open = 0
  const asking = async (method: McpQuestion['method'], params: unknown, signal: AbortSignal) => {
    open += 1
    const reply = await question({ method, params: params as McpQuestion['params'] }, signal).finally(() => (open -= 1))
    if ('refusal' in reply) throw new McpError(ErrorCode.InvalidRequest, reply.refusal)
    return reply.result
  }
  client.setRequestHandler(
    CreateMessageRequestSchema,
    async ({ params }, { signal }) => (await asking('sampling', params, signal)) as never,
  )
  client.setRequestHandler(
    ElicitRequestSchema,
    async ({ params }, { signal }) => (await asking('elicitation', params, signal)) as never,
  )
  return { client, isAsking: () => open > 0 }
}

/** Noise beside answers is no reason to end: without a listener for errors it is passed over. */
function hearEnd(client: Client, ended: () => void): void {
  Object.assign(client, { onclose: ended })
}

interface Hearing {
  readonly client: Client
  readonly spec: McpServerSpec
  readonly isOpen: () => boolean
  changed(listing: McpListing): void
}

/** Between two readings of the lists of a server that says again and again that they changed: twice as long each time. */
const [calmMs, longestCalmMs] = [500, 30_000]

/** However often a server says that its lists changed, they are asked for one time after the other. */
function hearChanges({ client, spec, isOpen, changed: tell }: Hearing): void {
  let reading: Promise<void> | null = null
  let again = false
  const read = async (): Promise<void> => {
    for (let calm = calmMs; again && isOpen(); calm = Math.min(calm * 2, longestCalmMs)) {
      again = false
      try {
        const listing = await readListing(client, { timeout: spec.timeout ?? usualTimeout })
        if (isOpen()) tell(listing)
      } catch {
        // The earlier offer stays until the server can say what it offers now.
      }
      await sleep(calm, undefined, { ref: false })
    }
    reading = null
  }
  const changed = (): void => {
    again = true
    reading ??= read()
  }
  for (const schema of [
    ToolListChangedNotificationSchema,
    PromptListChangedNotificationSchema,
    ResourceListChangedNotificationSchema,
  ])
    client.setNotificationHandler(schema, changed)
}

const farewellMs = 1_000

/** The server may forget the session; one that does not answer is not waited for. */
async function endSession(transport: StreamableHTTPClientTransport): Promise<void> {
  if (transport.sessionId === undefined) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, farewellMs)
  })
  await Promise.race([transport.terminateSession().catch(() => undefined), late])
  clearTimeout(timer)
}

interface Beginning {
  readonly transport: Transport
  readonly late: boolean
  readonly startMs: number
}

function beginningFailed(error: unknown, { transport, late, startMs }: Beginning): Error {
  if (error instanceof UnauthorizedError || isStatus(error, 401))
    return new LoginNeeded('it wants a login: troupe mcp login', { cause: error })
  if (error instanceof OAuthError) {
    const why = cutWords(error.message).split('\n', 1)[0] ?? ''
    return new HopelessServer(`no login can be had from it (${why}); without OAuth its entry needs headers`)
  }
  if (late) return new Error(lastWordsOf(transport, `it did not begin within ${startMs / 1_000} s`))
  const code = (error as { readonly code?: unknown } | null)?.code
  const isMissing = code === 'ENOENT' || code === 'EACCES'
  if (isMissing && transport instanceof StdioTransport)
    return new HopelessServer(`its program ${transport.command} cannot be started (${code}); is it installed?`)
  return new Error(lastWordsOf(transport, cutWords(whyOf(error))), { cause: error })
}

/** The reason of a failure, with what the platform hides behind "fetch failed". */
function whyOf(error: unknown): string {
  const { cause, code } = error as { readonly cause?: unknown; readonly code?: unknown }
  if (isConnectionClosed(error) || code === 'EPIPE') return 'it closed the connection'
  const { message = '', code: name } = (cause ?? {}) as { readonly message?: string; readonly code?: string }
  const deeper = message === '' ? (name ?? '') : message
  return deeper === '' ? errorText(error) : `${errorText(error)}: ${deeper}`
}

/** An error of HTTP with this status. */
export function isStatus(error: unknown, status: number): boolean {
  return error instanceof Error && 'code' in error && error.code === status
}

function lastWordsOf(transport: Transport, why: string): string {
  const said = transport instanceof StdioTransport ? transport.lastWords.split('\n').slice(-5).join('\n') : ''
  return said === '' ? why : `${why}; the last it said:\n${said}`
}
