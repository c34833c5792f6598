import { childEnv } from '../../process/child-env.ts'
import { systemEnv } from '../../fs/system-programs.ts'
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

/** How long a command may take to print a key. */
const commandMs = 10_000
/** Characters of what it prints; a key is far shorter. */
const longestKey = 20_000

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

/** The output of a command; all that the command started is ended with it. */
async function printed(command: string, env: WireEnvironment): Promise<string> {
  const { runCommand } = await import('../../process/run-command.ts')
  let text = ''
  const tooLong = new AbortController()
  const { exitCode, stopped, failure, errors } = await runCommand(['/bin/sh', '-c', command], {
    cwd: '.',
    env: systemEnv(childEnv(env), []),
    signal: tooLong.signal,
    timeoutMs: commandMs,
    onOutput(piece) {
      if (text.length + piece.length > longestKey) tooLong.abort()
      else text += piece
    },
  })
  const key = text.trim()
  if (exitCode === 0 && key !== '' && !tooLong.signal.aborted) return key
  const late = stopped === 'timeout' ? `it took longer than ${commandMs / 1000} s` : null
  const odd = tooLong.signal.aborted ? `it printed more than ${longestKey} characters` : null
  const nothing = exitCode === 0 ? 'it printed nothing' : null
  const said = errors.trim().split('\n').at(-1) ?? ''
  const why =
    late ??
    odd ??
    nothing ??
    failure ??
    `it ended with ${exitCode ?? 'a signal'}${said === '' ? '' : ` (${said.slice(0, 200)})`}`
  throw Object.assign(new Error(`the command for the key gave none: ${why}`), { code: 'ERR_KEY_COMMAND' })
}
