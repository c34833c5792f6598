import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { childEnv } from '../../process/child-env.ts'
import type { ProviderSpec } from '../../../protocol/words/provider-spec.ts'
import type { WireEnvironment } from '../http/proxies.ts'

/** The way to a key. */
export interface Credential {
  /** The variable that holds it, for remedies. */
  readonly keyName: string | undefined
  /** The key; empty where there is none. @throws when the command that prints it fails */
  read(): Promise<string>
  /** Takes a key that its server did not take. */
  refused(key: string): void
  /** Looks again; true when the key is one that no server has refused. Members share keys: another one may have looked. */
  renew(): Promise<boolean>
}

const run = promisify(execFile)
/** How long a command may take to print a key. */
const commandMs = 10_000

/** The key of a provider: a variable of the environment, or what a command prints, which is told no other key. */
export function credentialOf({ key }: Pick<ProviderSpec, 'key'>, env: WireEnvironment): Credential {
  const keyName = typeof key === 'string' ? key.slice(1) : undefined
  const look = async (): Promise<string> => {
    if (keyName !== undefined) return env[keyName] ?? ''
    return typeof key === 'object' ? printed(key.command, env) : ''
  }
  const bad = new Set([''])
  let known: Promise<string> | undefined
  let failed = false
  const asked = (): Promise<string> => {
    known = look()
    failed = false
    // A command that failed once may do better at the next call.
    known.catch(() => (failed = true))
    return known
  }
  const read = (): Promise<string> => (known === undefined || failed ? asked() : known)
  return {
    keyName,
    read,
    refused: (key) => void bad.add(key),
    async renew() {
      const isGood = !bad.has(await read().catch(() => ''))
      return isGood || !bad.has(await asked().catch(() => ''))
    },
  }
}

async function printed(command: string, env: WireEnvironment): Promise<string> {
  try {
    const options = { env: childEnv(env), timeout: commandMs, killSignal: 'SIGKILL' } as const
    const { stdout } = await run('/bin/sh', ['-c', command], options)
    return stdout.trim()
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? `it ended with ${String(error.code)}` : 'it took too long'
    throw Object.assign(new Error(`the command for the key gave none: ${why}`), { code: 'ERR_KEY_COMMAND' })
  }
}
