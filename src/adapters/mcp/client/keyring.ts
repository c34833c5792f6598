import { readFileSync } from 'node:fs'
import { parseJson } from '../../fs/parse-json.ts'
import { systemEnv } from '../../fs/system-programs.ts'
import { runCommand } from '../../process/run-command.ts'
import { personsFile } from '../config/read-servers.ts'

/** A program of the person that keeps the secrets of one server. */
export interface Keyring {
  /** The JSON that was stored; null where there is none. */
  get(): Promise<unknown>
  /** @throws when the program fails: nothing is kept then */
  store(secret: unknown): Promise<void>
}

/** A keyring may ask its person for a password. */
const patienceMs = 60_000
const longestSecret = 1_000_000

/**
 * The keyring that a person names in `~/.troupe/mcp.json`: `"keyring": "my-keyring"` is called as `my-keyring get URL`, which
 * prints what was stored, and as `my-keyring store URL`, which reads it from standard input. Null where none is named.
 */
export function keyringOf(home: string, url: string, env: Readonly<Record<string, string>>): Keyring | null {
  const command = commandIn(personsFile(home))
  if (command === null) return null
  const call = async (act: 'get' | 'store', input: string) => {
    let printed = ''
    const end = await runCommand(['/bin/sh', '-c', `${command} "$@"`, 'keyring', act, url], {
      cwd: home,
      env: systemEnv(env, []),
      input,
      signal: new AbortController().signal,
      timeoutMs: patienceMs,
      onOutput: (text) => void (printed.length < longestSecret && (printed += text)),
    })
    return { ...end, printed }
  }
  return {
    async get() {
      const { exitCode, printed } = await call('get', '')
      return exitCode === 0 ? (parseJson(printed) ?? null) : null
    },
    async store(secret) {
      const { exitCode, failure, stopped, errors } = await call('store', JSON.stringify(secret))
      if (exitCode !== 0) throw new Error(`the keyring command failed: ${failure ?? stopped ?? errors.trim()}`)
    },
  }
}

function commandIn(file: string): string | null {
  try {
    const { keyring } = parseJson(readFileSync(file, 'utf8')) as { readonly keyring?: unknown }
    return typeof keyring === 'string' && keyring !== '' ? keyring : null
  } catch {
    // The file is missing, or its own reader says what is wrong with it.
    return null
  }
}
