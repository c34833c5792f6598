import type { Agent as HttpAgent, ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import { pipeline, type Duplex, type Readable } from 'node:stream'
import { urlToHttpOptions } from 'node:url'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/**
 * Owns the connections to model servers, one pool per environment. Never: retries of what a server may have
 * begun, redirects (a key must not follow one), anything about vendors.
 *
 * 1. It stands on node:http: a third of the processor time of the global `fetch`, as no web stream stands between the
 *    socket and the reader. 2. What the requests to one address have in common is taken apart once (`routeTo`).
 * 3. A kept-alive connection that the server closed meanwhile is replaced once, unseen. A request may also ask
 *    for a connection of its own.
 * 4. Proxy variables are honoured as Node does it.
 */
export interface Wire {
  /** Sends a request. @throws when no answer begins in time, or when the connection or the signal breaks it off */
  send(route: Route, sent: WireRequest): Promise<Reply>
  /** The same for what the SDKs ask by themselves. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
}

/** Where requests go and what each of them says before its body. */
export interface Route {
  readonly target: ReturnType<typeof urlToHttpOptions>
  readonly method: string
  readonly head: readonly string[]
}

/** One request on a route. */
export interface WireRequest {
  /** Bytes: a text would be gone through once for its length and once more to be sent. */
  readonly body: Uint8Array | undefined
  readonly signal: AbortSignal | null | undefined
  /** No kept connection is used, and this one is not kept. */
  readonly alone?: boolean | undefined
}

/** What a server answers: its body as text pieces. */
export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Readable
}

/** How long a server is waited for, in milliseconds. */
export interface Waits {
  /** How long it may take to begin its answer. */
  readonly firstByteMs: number
  /** How long a begun answer may be silent. */
  readonly idleMs: number
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

export type WireEnvironment = Readonly<Record<string, string | undefined>>

const pools = new WeakMap<WireEnvironment, Agents>()

/**
 * The way to the servers that this environment knows.
 *
 * @example
 * const wire = openWire(process.env, { firstByteMs: 600_000, idleMs: 300_000 })
 * const { status, body } = await wire.send(routeTo(url, 'POST', headers), { body: bytes, signal })
 */
export function openWire(env: WireEnvironment, waits: Waits): Wire {
  const agents = poolOf(env)
  const send = async (route: Route, sent: WireRequest): Promise<Reply> => {
    const incoming = await ask({ route, sent, agents, waits })
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: decoded(incoming) }
  }
  return {
    send,
    async fetch(input, init = {}) {
      const address = input instanceof Request ? input.url : String(input)
      const route = routeTo(address, init.method ?? 'GET', new Headers(init.headers))
      const { status, headers, body } = await send(route, { body: bytesOf(init.body), signal: init.signal })
      return new Response(await textIn(body), { status, headers: headersOf(headers) })
    },
  }
}

/** Takes apart what all requests to an address have in common. */
export function routeTo(address: string, method: string, headers: Iterable<readonly [string, string]>): Route {
  const url = new URL(address)
  const target = urlToHttpOptions(url)
  const head = new Map([['host', url.host], ...headers])
  if (target.auth && !head.has('authorization')) head.set('authorization', `Basic ${btoa(target.auth)}`)
  return { target, method, head: [...head].flat() }
}

/** Headers as the SDKs' errors hold them. */
export function headersOf(headers: IncomingHttpHeaders): Headers {
  return new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

/** Everything a body says. */
export async function textIn(body: Readable): Promise<string> {
  let text = ''
  for await (const chunk of body) text += String(chunk)
  return text
}

function poolOf(env: WireEnvironment): Agents {
  const known = pools.get(env)
  if (known) return known
  const proxyEnv = { ...env }
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

interface Asked {
  readonly route: Route
  readonly sent: WireRequest
  readonly agents: Agents
  readonly waits: Waits
}

async function ask(asked: Asked): Promise<IncomingMessage> {
  const request = start(asked)
  try {
    return await answerTo(request, asked)
  } catch (error) {
    const isStale = request.reusedSocket && error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
    if (!isStale || asked.sent.signal?.aborted) throw error
    return answerTo(start(asked), asked)
  }
}

function bytesOf(body: RequestInit['body']): Uint8Array | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body !== 'string') throw new Error('only text is sent over this wire')
  return Buffer.from(body)
}

function answerTo(request: ClientRequest, { sent: { body, signal }, waits }: Asked): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => request.destroy(silence(waits.firstByteMs)), waits.firstByteMs)
    request.once('response', (incoming) => {
      clearTimeout(late)
      request.setTimeout(waits.idleMs, () => incoming.destroy(silence(waits.idleMs)))
      resolve(incoming)
    })
    request.on('error', (error) => {
      clearTimeout(late)
      reject(error)
    })
    if (signal) stopOn(signal, request)
    request.end(body)
  })
}

/** Headers as a list are written as they are: names that are set one by one cost a good part of a request. */
function start({ route: { target, method, head }, sent: { body, alone }, agents }: Asked): ClientRequest {
  const headers = body ? [...head, 'content-length', String(body.length)] : head
  const pool = alone ? agents.once() : agents
  return target.protocol === 'https:'
    ? https.request({ ...target, method, headers, agent: pool.https })
    : http.request({ ...target, method, headers, agent: pool.http })
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

function silence(ms: number): Error {
  return Object.assign(new Error(`the server was silent for ${ms / 1000} s`), { code: 'ETIMEDOUT' })
}

function decoded(incoming: IncomingMessage): Readable {
  const decoder = decoderFor(incoming.headers['content-encoding']?.trim().toLowerCase())
  const body = decoder ? pipeline(incoming, decoder, () => undefined) : incoming
  return body.setEncoding('utf8')
}

function decoderFor(encoding: string | undefined): Duplex | undefined {
  const flush = { flush: constants.Z_SYNC_FLUSH }
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip(flush)
  if (encoding === 'deflate') return createInflate(flush)
  return encoding === 'br' ? createBrotliDecompress() : undefined
}
