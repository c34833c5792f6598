import type { WireEnvironment } from '../http/proxies.ts'
import type { WireWaits } from '../http/wire.ts'

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
}

/** How a model behind a server is reached. */
export interface ServerOptions extends ServerTimeouts {
  /** The vendor's own name of the model. */
  readonly model: string
  readonly apiKey: string
  /** Looks the key up again, should the server have refused it. */
  readonly readKey?: () => string
  /** The variable that the key came from. */
  readonly keyName?: string
  /** Default: the vendor's. */
  readonly baseURL?: string
  /** The server runs on the person's own machine: it loads a model, and reads a long prompt, without a word. */
  readonly local?: boolean
  /** Where proxies are named. */
  readonly env: WireEnvironment
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
export function waitsOf({ local = false, ...given }: ServerTimeouts & Pick<ServerOptions, 'local'>): ServerWaits {
  const { firstByteMs, connectMs = 10_000, idleMs = local ? long : 60_000, progressMs = long, totalMs } = given
  return {
    connectMs,
    firstByteMs: firstByteMs ?? long,
    hurriedMs: firstByteMs ?? (local ? long : 30_000),
    idleMs,
    progressMs,
    ...(totalMs === undefined ? {} : { totalMs }),
  }
}
