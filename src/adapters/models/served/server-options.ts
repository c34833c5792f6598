import type { WireEnvironment } from '../http/wire.ts'

/** How long a server is waited for, in milliseconds. */
export interface ServerTimeouts {
  /** How long the server may take to begin its answer. */
  readonly firstByteMs?: number
  /** How long a begun answer may be silent. */
  readonly idleMs?: number
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
  /** Where proxies are named. */
  readonly env: WireEnvironment
}

/** Local servers load a model before they answer; models that reason may be silent for minutes. */
const patience = { firstByteMs: 600_000, idleMs: 300_000 }

export function waitsOf(given: ServerTimeouts): Required<ServerTimeouts> {
  return { firstByteMs: given.firstByteMs ?? patience.firstByteMs, idleMs: given.idleMs ?? patience.idleMs }
}
