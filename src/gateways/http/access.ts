import { freshSecret, secretKey, serverScopes } from '../../runtime/settings/server-tokens.ts'
import type { ServerScope, ServerTokens } from '../../runtime/settings/server-tokens.ts'

const codeMs = 10 * 60_000
const sessionMs = 12 * 3_600_000
const mostSessions = 100

/** The rights at one server. */
export interface Access {
  /** Makes the code of a page: it counts once, for ten minutes, and opens everything. */
  code(): string
  /** The session that a code opens, null for a code that does not count. */
  enter(code: string): string | null
  leave(session: string): void
  /** The rights behind an `Authorization` header or a session; null for nobody. */
  scopesOf(given: { readonly bearer?: string | undefined; readonly session?: string | undefined }): Rights | null
}

/** Rights, and whether they come with a cookie, which a browser sends without being asked. */
export interface Rights {
  readonly scopes: readonly ServerScope[]
  readonly isCookie: boolean
  /** The same for all requests with this token or session. */
  readonly key: string
}

/**
 * Keeps the codes and sessions of one server in memory: with the server they end.
 * @param now milliseconds
 */
export function openAccess(tokens: ServerTokens, now: () => number): Access {
  const codes = new Map<string, number>()
  const sessions = new Map<string, number>()
  const counts = (kept: Map<string, number>, key: string): boolean => (kept.get(key) ?? 0) > now()
  return {
    code() {
      const code = freshSecret()
      codes.set(secretKey(code), now() + codeMs)
      return code
    },
    enter(code) {
      const key = secretKey(code)
      const isGood = counts(codes, key)
      codes.delete(key)
      if (!isGood) return null
      const session = freshSecret()
      const [oldest] = sessions.keys()
      if (sessions.size >= mostSessions && oldest !== undefined) sessions.delete(oldest)
      sessions.set(secretKey(session), now() + sessionMs)
      return session
    },
    leave: (session) => void sessions.delete(secretKey(session)),
    scopesOf({ bearer, session }) {
      if (bearer !== undefined) {
        const scopes = tokens.scopesOf(bearer)
        return scopes && { scopes, isCookie: false, key: secretKey(bearer) }
      }
      if (session === undefined || !counts(sessions, secretKey(session))) return null
      return { scopes: serverScopes, isCookie: true, key: secretKey(session) }
    },
  }
}
