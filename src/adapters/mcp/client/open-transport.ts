import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js'
import { z } from 'zod'
import type { McpServerSpec } from '../../../protocol/mcp/server-spec.ts'
import { parseJson } from '../../fs/parse-json.ts'
import { runCommand } from '../../process/run-command.ts'
import { StdioTransport } from './stdio-transport.ts'

/** The surroundings of a connection. */
export interface ConnectionPlace {
  readonly cwd: string
  /** For programs that are started: without credentials, beside those that the entry gives. */
  readonly env: Readonly<Record<string, string>>
  /** Absent where nobody logs in. */
  readonly auth?: OAuthClientProvider
}

const helperMs = 10_000
const longestHeaders = 65_536

/** An entry that no connection can come of; the message says what to mend. */
export class WrongServer extends Error {}

/** The transport that an entry asks for. Its variables are filled in already. */
export async function openTransport(spec: McpServerSpec, place: ConnectionPlace): Promise<Transport> {
  const { command, args = [], env = {}, url, timeout = usualTimeout } = spec
  if (command !== undefined) return new StdioTransport({ command, args, env: { ...place.env, ...env }, cwd: place.cwd })
  const address = URL.parse(url ?? '')
  if (address === null) throw new WrongServer(`${url ?? ''} is no address`)
  const type = spec.type ?? (/^wss?:$/.test(address.protocol) ? 'ws' : 'http')
  if (type === 'ws') return new WebSocketClientTransport(address)
  const headers = { ...spec.headers, ...(await helperHeaders(spec, place)) }
  const auth = place.auth === undefined || 'authorization' in lowered(headers) ? {} : { authProvider: place.auth }
  const options = { requestInit: { headers }, fetch: impatient(timeout), ...auth }
  // Servers of the older kind are still about.
  if (type === 'sse') return new SSEClientTransport(address, options)
  return new StreamableHTTPClientTransport(address, {
    ...options,
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 5,
    },
  })
}

export const usualTimeout = 60_000

/**
 * Requests that end after a while. A GET does not: it is the stream of what the server says by itself, which stays open
 * for as long as the connection; nor does the body of an answer, once its head is there.
 */
function impatient(ms: number): FetchLike {
  return async (url, init = {}) => {
    if ((init.method ?? 'GET').toUpperCase() === 'GET') return fetchHere(url, init)
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new Error(`no answer within ${ms / 1_000} s`)), ms + 1_000)
    const signal = init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal
    try {
      return await fetchHere(url, { ...init, signal })
    } finally {
      clearTimeout(timer)
    }
  }
}

const mostRedirects = 5

/**
 * Follows redirects inside one origin. Any other could lead headers with credentials to strangers, and requests to
 * addresses that only this machine reaches.
 *
 * @throws when the server sends somewhere else
 */
async function fetchHere(url: string | URL, init: RequestInit, left = mostRedirects): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  const place = response.headers.get('location')
  if (response.status < 300 || response.status > 399 || place === null) return response
  await response.body?.cancel()
  const next = URL.parse(place, String(url))
  if (next === null || next.origin !== new URL(url).origin || left === 0)
    throw new Error(
      `it redirects to ${next?.origin ?? 'no address'}, which is not followed: name that address in its url`,
    )
  if (response.status > 303) return fetchHere(next, init, left - 1)
  return fetchHere(next, { ...init, method: 'GET', body: null }, left - 1)
}

/** Headers that a command of the entry prints, for credentials that change. */
async function helperHeaders(
  { headersHelper: command }: McpServerSpec,
  { cwd, env }: ConnectionPlace,
): Promise<Readonly<Record<string, string>>> {
  if (command === undefined) return {}
  let printed = ''
  const { exitCode, failure, stopped, errors } = await runCommand(['/bin/sh', '-c', command], {
    cwd,
    env,
    signal: new AbortController().signal,
    timeoutMs: helperMs,
    onOutput: (text) => void (printed.length < longestHeaders && (printed += text)),
  })
  if (exitCode !== 0) throw new WrongServer(`its headersHelper failed: ${failure ?? stopped ?? errors.trim()}`)
  const said = z.record(z.string(), z.string()).safeParse(parseJson(printed))
  if (!said.success) throw new WrongServer('its headersHelper did not print a JSON object of texts')
  return said.data
}

function lowered(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
