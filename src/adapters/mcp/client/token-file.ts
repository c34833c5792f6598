import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../fs/parse-json.ts'
import { replaceFile } from '../../fs/replace-file.ts'
import { keyringOf } from './keyring.ts'

/** The login of one server, as far as it is known. The tokens are secrets: the file is its owner's alone. */
interface StoredLogin {
  readonly client?: OAuthClientInformationMixed
  readonly tokens?: OAuthTokens
  readonly verifier?: string
  readonly discovery?: OAuthDiscoveryState
  /** When it was last found that a login is needed; it is not looked for again for a while. */
  readonly neededAt?: number
}

export interface LoginFile {
  read(): StoredLogin
  /** @throws when the keyring does not take it */
  change(parts: Parts): Promise<void>
}

type Parts = { readonly [Key in keyof StoredLogin]: StoredLogin[Key] | undefined }

/** The parts that nobody else may read. */
const secrets = new Set<string>(['client', 'tokens', 'verifier'] satisfies (keyof StoredLogin)[])

interface LoginPlace {
  /** The person's home. */
  readonly home: string
  /** For the program that keeps secrets, where the person has one. */
  readonly env: Readonly<Record<string, string>>
}

/**
 * The login of the server at an address, in a file of mode 0600 below the person's own directory. The secrets of it are in
 * the keyring instead, where the person names one.
 */
export async function loginFile({ home, env }: LoginPlace, url: string): Promise<LoginFile> {
  const folder = join(home, '.troupe', 'mcp', 'logins')
  const path = join(folder, `${createHash('sha256').update(url).digest('hex').slice(0, 32)}.json`)
  const keyring = keyringOf(home, url, env)
  let kept = ((await keyring?.get()) ?? {}) as StoredLogin
  const inFile = (): StoredLogin => {
    try {
      return (parseJson(readFileSync(path, 'utf8')) as StoredLogin | undefined) ?? {}
    } catch {
      // The file is missing: nobody logged in yet.
      return {}
    }
  }
  const read = (): StoredLogin => ({ ...inFile(), ...kept })
  const isFor = (place: 'keyring' | 'file') => (parts: Parts) =>
    Object.fromEntries(
      Object.entries(parts).filter(([key]) => (keyring !== null && secrets.has(key)) === (place === 'keyring')),
    )
  return {
    read,
    async change(parts) {
      const [secret, open] = [isFor('keyring')(parts), isFor('file')(parts)]
      if (keyring !== null && Object.keys(secret).length > 0) {
        kept = { ...kept, ...secret }
        await keyring.store(kept)
      }
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      chmodSync(folder, 0o700)
      replaceFile(path, `${JSON.stringify({ ...isFor('file')(inFile()), ...open, url })}\n`, 0o600)
    },
  }
}
