import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { createFile } from '../../adapters/fs/create-file.ts'

/** Rights of a token: to look, to start and steer runs, to answer questions in the place of a person. */
export const serverScopes = ['read', 'act', 'approve'] as const
export type ServerScope = (typeof serverScopes)[number]

const tokensSchema = z.strictObject({
  tokens: z.array(z.strictObject({ token: z.string().min(32), scopes: z.array(z.enum(serverScopes)).min(1) })).min(1),
})

/** The tokens of `troupe serve`. */
export interface ServerTokens {
  readonly file: string
  /** Null for a token that is none. Takes as long for one as for another. */
  scopesOf(token: string): readonly ServerScope[] | null
}

/**
 * Reads the tokens of this user's servers, and makes one for each width of rights where there are none.
 * @param home the user's directory; members may not read `.troupe` in it
 * @throws Error when others may read the file, or its content is no list of tokens
 * @example openServerTokens(home).scopesOf(given) // ['read', 'act']
 */
export function openServerTokens(home: string): ServerTokens {
  const file = tokensFile(home)
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined) writeTokens(file)
  else if (!found.isFile() || (process.platform !== 'win32' && (found.mode & 0o077) !== 0))
    throw new Error(`${file} must be a file that only you can read: chmod 600 ${file}`)
  const known = tokensIn(file).map(({ token, scopes }) => ({ digest: digestOf(token), scopes }))
  return {
    file,
    scopesOf(token) {
      const digest = digestOf(token)
      let scopes: readonly ServerScope[] | null = null
      for (const each of known) if (timingSafeEqual(each.digest, digest)) ({ scopes } = each)
      return scopes
    },
  }
}

/**
 * Makes the places of a user's secrets that are not there yet: only what is there can be hidden from a command that begins now.
 *
 * @example makeSecretPlaces('/home/ann')
 */
export function makeSecretPlaces(home: string): void {
  for (const dir of ['keys', 'mcp/logins']) mkdirSync(join(home, '.troupe', dir), { recursive: true, mode: 0o700 })
  const file = tokensFile(home)
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) writeTokens(file)
}

function tokensFile(home: string): string {
  return join(home, '.troupe', 'server-tokens.json')
}

/** A secret that nobody can guess: 256 bits, fit for an address. */
export function freshSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Under this a secret is kept, so that a look-up tells nothing about it. */
export function secretKey(secret: string): string {
  return digestOf(secret).toString('hex')
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function writeTokens(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const tokens = serverScopes.map((_, at) => ({ token: freshSecret(), scopes: serverScopes.slice(0, at + 1) }))
  // Another process may make them at the same time: the first ones count.
  createFile(file, `${JSON.stringify({ tokens }, null, 2)}\n`)
}

function tokensIn(file: string): z.infer<typeof tokensSchema>['tokens'] {
  const read = tokensSchema.safeParse(jsonIn(file))
  if (read.success) return read.data.tokens
  const where = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
  throw new Error(`${file} holds no tokens (${where}); mend it, or remove it to get new ones`)
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`${file} is no JSON; mend it, or remove it to get new tokens`, { cause: error })
  }
}
