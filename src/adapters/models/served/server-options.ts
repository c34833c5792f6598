import type { WireEnvironment } from '../http/proxies.ts'
import type { ProviderSpec } from '../../../protocol/words/provider-spec.ts'
import type { WireWaits } from '../http/wire.ts'
import type { Credential } from './credential.ts'

/** How long a server is waited for, in milliseconds. */
export interface ServerTimeouts {
  /** How long a connection may take to be there. */
  readonly connectMs?: number
  /** How long the server may take to begin its answer. */
  readonly firstByteMs?: number
  /** How long a begun answer may be silent. */
  readonly idleMs?: number
  /** How long a begun answer may say nothing but that it is still there. */
  readonly progressMs?: number
  /** How long a whole answer may take. */
  readonly totalMs?: number
  /** A clock by which silences count, in milliseconds. */
  readonly monotonic?: () => number
}

/** How a server is reached. */
export interface Endpoint extends ServerTimeouts {
  /** The provider's name, as in `provider/model`. */
  readonly provider: string
  readonly spec: ProviderSpec
  /** Default: the vendor's. */
  readonly baseURL: string | undefined
  readonly credential: Credential
  /** Where proxies, and variables in headers, are named. */
  readonly env: WireEnvironment
}

/** How a model behind a server is reached. */
export interface ServerOptions extends Endpoint {
  /** The vendor's own name of the model. */
  readonly model: string
}

/** The times of a server with its defaults. */
export interface ServerWaits extends WireWaits {
  readonly firstByteMs: number
  /** The same where another model stands in. */
  readonly hurriedMs: number
  readonly progressMs: number
}

const long = 600_000

/** Models that think begin late, but say that they are there; nobody waits long where another model stands in. */
export function waitsOf({ spec, baseURL = '', ...given }: Endpoint): ServerWaits {
  const { local = false } = spec
  const near = isNear({ spec, baseURL })
  const {
    firstByteMs,
    connectMs = 10_000,
    idleMs = near ? long : 60_000,
    progressMs = long,
    totalMs,
    monotonic,
  } = given
  return {
    connectMs,
    firstByteMs: firstByteMs ?? long,
    hurriedMs: firstByteMs ?? (local ? long : 30_000),
    idleMs,
    progressMs,
    ...(totalMs === undefined ? {} : { totalMs }),
    ...(monotonic === undefined ? {} : { monotonic }),
  }
}

/** Whether a server runs on this machine, by a person's word or by its address. */
export function isNear({ spec, baseURL = '' }: Pick<Endpoint, 'spec' | 'baseURL'>): boolean {
  return spec.local === true || isLoopback(baseURL)
}

function isLoopback(address: string): boolean {
  return /^https?:\/\/(localhost|127\.|\[::1\])/.test(address)
}

interface WithOptions {
  readonly _options: { defaultHeaders?: unknown; defaultQuery?: unknown }
}

/** The vendor whose variables speak of a provider: what they hold goes to no other server. */
export function vendorOf(provider: string): 'ANTHROPIC' | 'OPENAI' | null {
  if (/^(openai(-compatible)?|azure)$/.test(provider)) return 'OPENAI'
  return /^(anthropic|bedrock|vertex|foundry)$/.test(provider) ? 'ANTHROPIC' : null
}

/**
 * The client with the headers and parameters of this endpoint, and no others: the SDKs read some from the environment of
 * the process, whatever the environment of the agent is. `<VENDOR>_CUSTOM_HEADERS` names headers, one a line.
 */
export function withExtras<Client extends object>(client: Client, { provider, spec, env }: Endpoint): Client {
  const filled = (value: string): string => value.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => env[name] ?? '')
  const said = Object.entries(spec.headers ?? {}).map(([name, value]) => [name, filled(value)] as const)
  const { _options: options } = client as unknown as WithOptions
  options.defaultHeaders = { ...headersIn(env[`${vendorOf(provider)}_CUSTOM_HEADERS`]), ...Object.fromEntries(said) }
  options.defaultQuery = { ...(options.defaultQuery as object | undefined), ...spec.query }
  return client
}

function headersIn(lines = ''): Readonly<Record<string, string>> {
  const pairs = lines.split('\n').flatMap((line) => {
    const colon = line.indexOf(':')
    return colon < 0 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const]
  })
  return Object.fromEntries(pairs)
}
