import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { z } from 'zod'
import type { McpServerSpec } from '../../../protocol/mcp/server-spec.ts'
import { parseJson } from '../../fs/parse-json.ts'
import { runCommand } from '../../process/run-command.ts'
import { carefulFetch } from './careful-fetch.ts'
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
  const headers = { ...spec.headers, ...(await helperHeaders(spec, place)) }
  if (type === 'ws') return webSocket(address, headers)
  const auth = place.auth === undefined || 'authorization' in lowered(headers) ? {} : { authProvider: place.auth }
  const options = { fetch: carefulFetch({ address, headers, timeout, patience: timeout * mostPatience }), ...auth }
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

/** The transport is loaded for the few servers that want it. */
async function webSocket(address: URL, headers: Readonly<Record<string, string>>): Promise<Transport> {
  const { WebSocketTransport } = await import('./web-socket-transport.ts')
  return new WebSocketTransport(address, headers)
}

export const usualTimeout = 60_000

/** Times of `timeout` after which a call is given up, however much progress it tells of. */
export const mostPatience = 60

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
  if (exitCode !== 0) {
    const why = failure ?? stopped ?? (errors.trim() || `it ended with ${exitCode}`)
    throw new WrongServer(`its headersHelper failed: ${why}`)
  }
  const said = z.record(z.string(), z.string()).safeParse(parseJson(printed))
  if (!said.success) throw new WrongServer('its headersHelper did not print a JSON object of texts')
  return said.data
}

function lowered(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
