import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

type Json = Readonly<Record<string, unknown>>

/** An MCP server behind a login of its own: registration, PKCE and refreshing, as its clients need them. */
export interface ClosedServer {
  readonly url: string
  /** The grants that were given, in their order. */
  readonly grants: readonly string[]
  /** How many messages of the protocol came without a login that counts. */
  turnedAway(): number
  /** The tokens of access are over; those that refresh them as well, where `all` is set. */
  expire(all?: boolean): void
  /** Its browser's answers say from now on that they are of this login server. */
  answerAs(issuer: string | null): void
}

export async function closedServer(): Promise<ClosedServer> {
  const challenges = new Map<string, string>()
  const [access, refresh] = [new Set<string>(), new Set<string>()]
  const grants: string[] = []
  let turnedAway = 0
  let base = ''
  let issuer: string | null = null
  const tokens = (): Json => {
    const [access_token, refresh_token] = [randomUUID(), randomUUID()]
    access.add(access_token)
    refresh.add(refresh_token)
    return { access_token, refresh_token, token_type: 'Bearer', expires_in: 3_600 }
  }
  const granted = (asked: URLSearchParams): Json | null => {
    const grant = asked.get('grant_type') ?? ''
    if (grant === 'refresh_token') {
      if (!refresh.delete(asked.get('refresh_token') ?? '')) return null
    } else {
      const proof = createHash('sha256')
        .update(asked.get('code_verifier') ?? '')
        .digest('base64url')
      if (challenges.get(asked.get('code') ?? '') !== proof) return null
      challenges.delete(asked.get('code') ?? '')
    }
    grants.push(grant)
    return tokens()
  }
  const metadata = (): Json => ({
    issuer: base,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  })
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const url = new URL(request.url ?? '/', base)
    const say = (status: number, said: Json | null, headers: Record<string, string> = {}): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(said && JSON.stringify(said))
    if (url.pathname.startsWith('/.well-known/oauth-protected-resource'))
      say(200, { resource: `${base}/mcp`, authorization_servers: [base] })
    else if (url.pathname === '/.well-known/oauth-authorization-server') say(200, metadata())
    else if (url.pathname === '/register') say(201, { ...(JSON.parse(body) as Json), client_id: randomUUID() })
    else if (url.pathname === '/authorize') {
      const code = randomUUID()
      challenges.set(code, url.searchParams.get('code_challenge') ?? '')
      const back = new URL(url.searchParams.get('redirect_uri') ?? base)
      back.searchParams.set('code', code)
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      if (issuer !== null) back.searchParams.set('iss', issuer)
      say(302, null, { location: back.href })
    } else if (url.pathname === '/token') {
      const given = granted(new URLSearchParams(body))
      say(given ? 200 : 400, given ?? { error: 'invalid_grant' })
    } else if (!access.has(bearerOf(request))) {
      turnedAway += 1
      const place = `${base}/.well-known/oauth-protected-resource/mcp`
      say(401, { error: 'invalid_token' }, { 'www-authenticate': `Bearer resource_metadata="${place}"` })
    } else if (request.method === 'POST') {
      const answer = answerTo(JSON.parse(body) as Json)
      say(answer ? 200 : 202, answer)
    } else say(405, null)
  }
  const server = createServer((request, response) => void receive(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `${base}/mcp`,
    grants,
    turnedAway: () => turnedAway,
    answerAs: (named) => void (issuer = named),
    expire(all = false) {
      access.clear()
      if (all) refresh.clear()
    },
  }
}

function bearerOf({ headers: { authorization = '' } }: IncomingMessage): string {
  return authorization.replace(/^Bearer /, '')
}

function answerTo({ id, method, params }: Json): Json | null {
  if (id === undefined) return null
  const { protocolVersion } = (params ?? {}) as Json
  const results: Readonly<Record<string, Json>> = {
    initialize: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'closed', version: '1' } },
    'tools/list': { tools: [{ name: 'look', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'You are in.' }] },
  }
  return { jsonrpc: '2.0', id, result: results[String(method)] ?? {} }
}
