import type { Agent as HttpAgent, ClientRequest, IncomingMessage } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import { pipeline, type Duplex, type Readable } from 'node:stream'
import { urlToHttpOptions } from 'node:url'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/**
 * Owns the connections to model servers, one pool per environment. Never: retries of what a server may have
 * begun, redirects (a key must not follow one), anything about vendors.
 *
 * 1. It is a `fetch` for the SDKs on node:http: a third of the processor time of the global one, as no web
 *    stream stands between the socket and the reader. 2. A good answer's body is read through `bodyOf`.
 * 3. A kept-alive connection that the server closed meanwhile is replaced once, unseen. A request may also ask
 *    for a connection of its own (`overOwnConnection`).
 * 4. Proxy variables are honoured as Node does it.
 */
export interface Wire {
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** The body of an answer that this wire gave, as text pieces. */
  bodyOf(response: Response): Readable
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

export type Environment = Readonly<Record<string, string | undefined>>

/** For the SDKs' requests: no kept connection is used, and this one is not kept. */
export const overOwnConnection = { fetchOptions: { keepalive: false } } as const

const pools = new WeakMap<Environment, Agents>()
const bodies = new WeakMap<Response, Readable>()

/** @param idleMs how long a begun answer may be silent */
export function openWire(env: Environment, idleMs: number): Wire {
  const agents = poolOf(env)
  return {
    async fetch(input, init = {}) {
      const address = input instanceof Request ? input.url : String(input)
      const target = targetOf(address)
      const incoming = await ask({ target, init, body: bytesOf(init.body), agents }, idleMs)
      const { statusCode: status = 0 } = incoming
      const body = decoded(incoming)
      if (status >= 200 && status < 300 && init.method === 'POST') {
        const response = goodAnswer(address, status, incoming)
        bodies.set(response, body)
        return response
      }
      const headers = new Headers(Object.fromEntries(headersOf(incoming)))
      return new Response(await textIn(body), { status, headers })
    },
    bodyOf(response) {
      const body = bodies.get(response)
      if (!body) throw new Error('this response did not come over this wire')
      return body
    },
  }
}

function headersOf({ headers }: IncomingMessage): Map<string, string> {
  return new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

/** What the SDKs look at of an answer whose body is read here. A whole `Response` would cost them more than the request. */
function goodAnswer(url: string, status: number, incoming: IncomingMessage): Response {
  const seen = { ok: true, status, url, body: null, headers: headersOf(incoming) }
  return seen as unknown as Response
}

function poolOf(env: Environment): Agents {
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

type Target = ReturnType<typeof urlToHttpOptions>

/** Addresses taken apart: an API has few, and each is asked over and over. */
const targets = new Map<string, Target>()

function targetOf(address: string): Target {
  const target = targets.get(address) ?? urlToHttpOptions(new URL(address))
  if (targets.size < 1_000) targets.set(address, target)
  return target
}

interface Asked {
  readonly target: Target
  readonly init: RequestInit
  /** Bytes: a text would be gone through once for its length and once more to be sent. */
  readonly body: Uint8Array | undefined
  readonly agents: Agents
}

async function ask(asked: Asked, idleMs: number): Promise<IncomingMessage> {
  const request = start(asked)
  try {
    return await answerTo(request, asked, idleMs)
  } catch (error) {
    const isStale = request.reusedSocket && error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
    if (!isStale || asked.init.signal?.aborted) throw error
    return answerTo(start(asked), asked, idleMs)
  }
}

function bytesOf(body: RequestInit['body']): Uint8Array | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body !== 'string') throw new Error('only text is sent over this wire')
  return Buffer.from(body)
}

function answerTo(request: ClientRequest, { body, init }: Asked, idleMs: number): Promise<IncomingMessage> {
  const { signal } = init
  return new Promise((resolve, reject) => {
    request.once('response', (incoming) => {
      request.setTimeout(idleMs, () => incoming.destroy(silence(idleMs)))
      resolve(incoming)
    })
    request.on('error', reject)
    if (signal) stopOn(signal, request)
    request.end(body)
  })
}

function start({ target, init, body, agents }: Asked): ClientRequest {
  const headers = Object.fromEntries(init.headers instanceof Headers ? init.headers : new Headers(init.headers))
  if (body) headers['content-length'] = String(body.length)
  const options = { ...target, method: init.method ?? 'GET', headers }
  const pool = init.keepalive === false ? agents.once() : agents
  return target.protocol === 'https:'
    ? https.request({ ...options, agent: pool.https })
    : http.request({ ...options, agent: pool.http })
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

async function textIn(body: Readable): Promise<string> {
  let text = ''
  for await (const chunk of body) text += String(chunk)
  return text
}
