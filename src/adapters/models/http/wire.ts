import type { Agent as HttpAgent, ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import { pipeline, Readable, type Duplex } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { proxiesOf, type WireEnvironment } from './proxies.ts'

/**
 * Owns the connections to model servers, one pool per environment. Never: retries of what a server may have
 * begun, redirects (a key must not follow one), anything about vendors.
 *
 * 1. A wire is the `fetch` of the vendors' SDKs and stands on node:http: no web stream stands between the socket and
 *    the reader of an answer.
 * 2. A kept-alive connection that the server closed meanwhile is replaced once, unseen. A request with
 *    `connection: close` has a connection of its own.
 * 3. Proxy variables are honoured as Node does it, `ALL_PROXY` too; a SOCKS proxy is refused aloud.
 * 4. A connection, a begun answer's silence and an answer in all may last so long; the SDK's own timeout limits the time
 *    to its beginning. A silence counts by the clock: after a sleep of the machine the answer is over, whether its words
 *    or the timer come first.
 */
export type Wire = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** The answer of a server, whatever its status; the SDKs hand it on unread. */
export interface WireResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The body as text. */
  readonly stream: Readable
}

// An import statement would load Node's whole `fetch` with it, for the sake of one name that is never used.
const http = process.getBuiltinModule('node:http')
const https = process.getBuiltinModule('node:https')

interface Agents {
  readonly http: HttpAgent
  readonly https: HttpsAgent
  /** The same without keeping a connection. */
  readonly once: () => Agents
}

const pools = new WeakMap<WireEnvironment, Agents>()

/** How long a wire waits, in milliseconds. */
export interface WireWaits {
  /** For a connection. */
  readonly connectMs?: number
  /** While a begun answer is silent. */
  readonly idleMs: number
  /** For a whole answer. */
  readonly totalMs?: number
  /** A clock by which silences count, in milliseconds. Without one only timers end them. */
  readonly monotonic?: () => number
}

/**
 * The way to the servers that this environment knows.
 *
 * @example
 * const client = new OpenAI({ fetch: openWire(process.env, { idleMs: 60_000 }) })
 */
export function openWire(env: WireEnvironment, waits: WireWaits): Wire {
  const send = sender(env, waits)
  return async (input, init) => {
    const incoming = await send(input, init)
    const { statusCode: status = 0, headers } = incoming
    const stream = decoded(incoming).setEncoding('utf8')
    return { status, headers, stream } satisfies WireResponse as unknown as Response
  }
}

/** The same with responses of the web, for clients that read their server's own framing themselves. */
export function openWebWire(env: WireEnvironment, waits: WireWaits): Wire {
  const send = sender(env, waits)
  return async (input, init) => {
    const incoming = await send(input, init)
    const heads = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string])
    const kept = heads.filter(([name]) => !/^content-(encoding|length)$/.test(name))
    return new Response(Readable.toWeb(decoded(incoming)) as ReadableStream, {
      status: incoming.statusCode ?? 0,
      headers: kept,
    })
  }
}

function sender(env: WireEnvironment, waits: WireWaits) {
  const agents = poolOf(env)
  const proxies = proxiesOf(env)
  return async (input: string | URL | Request, init: RequestInit = {}): Promise<IncomingMessage> => {
    const asked = partsOf(input instanceof Request ? input.url : String(input), init)
    const complaint = proxies.complaint(asked.url)
    if (complaint) throw complaint
    return ask(asked, agents, waits).catch((error: unknown) => {
      throw proxies.named(error)
    })
  }
}

/** Characters of a body that is read whole: no server that means well says more. */
const longestText = 8_000_000

/** The text of a body, as far as it is read. */
export async function textIn(body: Readable): Promise<string> {
  let text = ''
  for await (const chunk of body) {
    text += String(chunk)
    if (text.length > longestText) break
  }
  return text
}

function poolOf(env: WireEnvironment): Agents {
  const known = pools.get(env)
  if (known) return known
  const proxyEnv = { ...proxiesOf(env).env }
  const agentsOf = (options: object): Agents => ({
    http: new http.Agent(options),
    https: new https.Agent(options),
    once: () => (unkept ??= agentsOf({ keepAlive: false, proxyEnv })),
  })
  let unkept: Agents | undefined
  const agents = agentsOf({ keepAlive: true, maxFreeSockets: 1024, proxyEnv })
  pools.set(env, agents)
  return agents
}

/** One request, taken apart for node:http. */
interface Asked {
  readonly url: URL
  readonly method: string
  /** Names and values in turn: Node writes such a list as it is. */
  readonly headers: readonly string[]
  readonly body: Uint8Array | undefined
  readonly signal: AbortSignal | null | undefined
  /** No kept connection is used, and this one is not kept. */
  readonly alone: boolean
}

function partsOf(address: string, { method = 'GET', headers: given, body: bytes, signal }: RequestInit): Asked {
  const url = new URL(address)
  const body = bytes ? bytesOf(bytes) : undefined
  const head = new Map(given instanceof Headers ? given : new Headers(given))
  const { username, password } = url
  if (username && !head.has('authorization')) head.set('authorization', `Basic ${signed(username, password)}`)
  if (body) head.set('content-length', String(body.length))
  const headers = ['host', url.host, ...[...head].flat()]
  return { url, method, headers, body, signal, alone: head.get('connection') === 'close' }
}

function bytesOf(body: NonNullable<RequestInit['body']>): Uint8Array {
  if (body instanceof Uint8Array) return body
  if (typeof body === 'string') return Buffer.from(body)
  throw new Error('only bytes are sent over this wire')
}

function signed(...parts: readonly string[]): string {
  return btoa(parts.map(decodeURIComponent).join(':'))
}

async function ask(asked: Asked, agents: Agents, waits: WireWaits): Promise<IncomingMessage> {
  const request = start(asked, agents)
  try {
    return await answerTo(request, asked, waits)
  } catch (error) {
    const isStale = request.reusedSocket && error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
    if (!isStale || asked.signal?.aborted) throw error
    return answerTo(start(asked, agents), asked, waits)
  }
}

function start({ url, method, headers, alone }: Asked, agents: Agents): ClientRequest {
  const pool = alone ? agents.once() : agents
  return url.protocol === 'https:'
    ? https.request(url, { method, headers, agent: pool.https })
    : http.request(url, { method, headers, agent: pool.http })
}

function answerTo(request: ClientRequest, { url, body, signal }: Asked, waits: WireWaits): Promise<IncomingMessage> {
  const { connectMs, idleMs, totalMs } = waits
  return new Promise((resolve, reject) => {
    if (connectMs !== undefined) untilConnected(request, connectMs, url.host)
    // The end of a request that is answered already is heard of its answer alone.
    let begun: IncomingMessage | undefined
    if (totalMs !== undefined) {
      const why = tooLate(`no whole answer in ${totalMs / 1000} s`)
      const late = setTimeout(() => (begun ?? request).destroy(why), totalMs)
      request.once('close', () => clearTimeout(late))
    }
    request.once('response', (incoming) => {
      begun = incoming
      const end = (): void => void incoming.destroy(silence(idleMs))
      request.setTimeout(idleMs, end)
      endLate(request, waits, end)
      resolve(incoming)
    })
    request.on('error', reject)
    if (signal) stopOn(signal, request)
    request.end(body)
  })
}

/** A process that slept may see the words that came meanwhile before it sees its timer: they are too late all the same. */
function endLate(request: ClientRequest, { idleMs, monotonic }: WireWaits, end: () => void): void {
  const { socket } = request
  if (!socket || !monotonic) return
  let heard = monotonic()
  const hear = (): void => {
    const before = heard
    heard = monotonic()
    if (heard - before > idleMs) end()
  }
  // Before the reader of HTTP hears of them.
  socket.prependListener('data', hear)
  request.once('close', () => socket.off('data', hear))
}

/** Node's own way watches the whole life of the stream for it, at several times the cost. */
function stopOn(signal: AbortSignal, request: ClientRequest): void {
  const stop = (): void => void request.destroy(stopped())
  if (signal.aborted) stop()
  else {
    signal.addEventListener('abort', stop, { once: true })
    request.once('close', () => signal.removeEventListener('abort', stop))
  }
}

function stopped(): Error {
  return Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' })
}

/** A connection is there when the server can be spoken to over it: with TLS, after the handshake. */
function untilConnected(request: ClientRequest, ms: number, host: string): void {
  const late = setTimeout(() => request.destroy(tooLate(`no connection to ${host} in ${ms / 1000} s`)), ms)
  const over = (): void => clearTimeout(late)
  request.once('close', over)
  request.once('socket', (socket) => {
    const isThere =
      request.reusedSocket || (!socket.connecting && !('secureConnecting' in socket && socket.secureConnecting))
    if (isThere) over()
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', over)
  })
}

/** The error of a server that was waited for in vain. */
export function silence(ms: number): Error {
  return tooLate(`the server was silent for ${ms / 1000} s`)
}

export function tooLate(why: string): Error {
  return Object.assign(new Error(why), { code: 'ETIMEDOUT' })
}

function decoded(incoming: IncomingMessage): Readable {
  const decoder = decoderFor(incoming.headers['content-encoding']?.trim().toLowerCase())
  return decoder ? pipeline(incoming, decoder, () => undefined) : incoming
}

function decoderFor(encoding: string | undefined): Duplex | undefined {
  const flush = { flush: constants.Z_SYNC_FLUSH }
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip(flush)
  if (encoding === 'deflate') return createInflate(flush)
  return encoding === 'br' ? createBrotliDecompress() : undefined
}
