import type { Environment } from './wire.ts'

/** How a model behind a server is reached. */
export interface ServerOptions {
  /** The vendor's own name of the model. */
  readonly model: string
  readonly apiKey: string
  /** Default: the vendor's. */
  readonly baseURL?: string
  /** Where proxies are named. */
  readonly env: Environment
  /** How long the server may take to begin its answer. */
  readonly firstByteMs?: number
  /** How long a begun answer may be silent. */
  readonly idleMs?: number
}

/** Local servers load a model before they answer; models that reason may be silent for minutes. */
export const patience = { firstByteMs: 600_000, idleMs: 300_000 }
