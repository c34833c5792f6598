import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../fs/parse-json.ts'
import { replaceFile } from '../../fs/replace-file.ts'

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
  change(parts: { readonly [Key in keyof StoredLogin]: StoredLogin[Key] | undefined }): void
  forget(): void
}

/**
 * The login of the server at an address, in a file of mode 0600 below the person's own directory.
 *
 * @param home The person's home.
 */
export function loginFile(home: string, url: string): LoginFile {
  const folder = join(home, '.troupe', 'mcp', 'logins')
  const path = join(folder, `${createHash('sha256').update(url).digest('hex').slice(0, 32)}.json`)
  const read = (): StoredLogin => {
    try {
      return (parseJson(readFileSync(path, 'utf8')) as StoredLogin | undefined) ?? {}
    } catch {
      // The file is missing: nobody logged in yet.
      return {}
    }
  }
  return {
    read,
    change(parts) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      chmodSync(folder, 0o700)
      replaceFile(path, `${JSON.stringify({ ...read(), ...parts, url })}\n`, 0o600)
    },
    forget: () => rmSync(path, { force: true }),
  }
}
