import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { pipeline, type Duplex, type Readable } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/**
 * Owns the connections to model servers, one pool per environment. Never: retries of what a server may have
 * begun, redirects (a key must not follow one), anything about vendors.
 *
 * 1. It is a `fetch` for the SDKs on node:http: a third of the processor time of the global one, as no web
 *    stream stands between the socket and the reader. 2. A good answer's body is read through `bodyOf`.
 * 3. A kept-alive connection that the server closed meanwhile is replaced once, unseen.
 * 4. Proxy variables are honoured as Node does it.
 */
export interface Wire {
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** The body of an answer that this wire gave, as text pieces. */
  bodyOf(response: Response): Readable
}

interface Agents {
  readonly http: HttpAgent
  readonly https: HttpsAgent
}

export type Environment = Readonly<Record<string, string | undefined>>

const pools = new WeakMap<Environment, Agents>()
const bodies = new WeakMap<Response, Readable>()

/** @param idleMs how long a begun answer may be silent */
export function openWire(env: Environment, idleMs: number): Wire {
  const agents = poolOf(env)
  return {
    async fetch(input, init = {}) {
      const url = new URL(input instanceof Request ? input.url : input)
      const incoming = await ask({ url, init, agents }, idleMs)
      const { statusCode: status = 0 } = incoming
      const headers = new Headers()
      for (const [name, value] of Object.entries(incoming.headers)) {
        if (value !== undefined) headers.set(name, String(value))
      }
      const body = decoded(incoming)
      if (status >= 200 && status < 300 && init.method === 'POST') {
        const response = new Response(null, { status, headers })
        bodies.set(response, body)
        return response
      }
      return new Response(await textIn(body), { status, headers })
    },
    bodyOf(response) {
      const body = bodies.get(response)
      if (!body) throw new Error('this response did not come over this wire')
      return body
    },
  }
}

function poolOf(env: Environment): Agents {
  const known = pools.get(env)
  if (known) return known
  const options = { keepAlive: true, maxFreeSockets: 1024, proxyEnv: { ...env } }
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) }
  pools.set(env, agents)
  return agents
}

interface Asked {
  readonly url: URL
  readonly init: RequestInit
  readonly agents: Agents
}

async function ask(asked: Asked, idleMs: number): Promise<IncomingMessage> {
  const request = start(asked)
  try {
    return await answerTo(request, asked.init.body, idleMs)
  } catch (error) {
    const isStale = request.reusedSocket && error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
    if (!isStale || asked.init.signal?.aborted) throw error
    return answerTo(start(asked), asked.init.body, idleMs)
  }
}

function answerTo(request: ClientRequest, body: RequestInit['body'], idleMs: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', (incoming) => {
      request.setTimeout(idleMs, () => incoming.destroy(silence(idleMs)))
      resolve(incoming)
    })
    request.on('error', reject)
    request.end(body ?? undefined)
  })
}

function start({ url, init, agents }: Asked): ClientRequest {
  const headers = Object.fromEntries(new Headers(init.headers))
  if (typeof init.body === 'string') headers['content-length'] = String(Buffer.byteLength(init.body))
  const options = { method: init.method ?? 'GET', headers, ...(init.signal ? { signal: init.signal } : {}) }
  return url.protocol === 'https:'
    ? httpsRequest(url, { ...options, agent: agents.https })
    : httpRequest(url, { ...options, agent: agents.http })
}

function silence(ms: number): Error {
  return Object.assign(new Error(`the server was silent for ${ms / 1000} s`), { code: 'ETIMEDOUT' })
}

function decoded(incoming: IncomingMessage): Readable {
  const decoder = decoderFor(incoming.headers['content-encoding'])
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
