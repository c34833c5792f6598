import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import { readFileSync } from 'node:fs'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { serveRuns, type ServeLimits, type ServedRuns } from '../../../src/gateways/http/serve-runs.ts'
import { bareEnv } from '../../support/bare-env.ts'

/** A server of this test's own runs, and requests to it. */
export interface Served extends ServedRuns {
  readonly tokens: string
  /** A token with the scopes up to this one. */
  token(scope: 'read' | 'act' | 'approve'): string
  ask(path: string, init?: RequestInit & { scope?: 'read' | 'act' | 'approve' | 'none' }): Promise<Answer>
  post(path: string, body: unknown, scope?: 'read' | 'act' | 'approve'): Promise<Answer>
}

interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
}

export async function served(
  cwd: string,
  home: string,
  limits: Partial<ServeLimits> = {},
  { host = '127.0.0.1', dashboard }: { readonly host?: string; readonly dashboard?: string } = {},
): Promise<Served> {
  const page = dashboard === undefined ? {} : { dashboard }
  const place = { cwd, home, env: bareEnv, policyRoot: '/nowhere', version: '1.2.3', ...page }
  const load = (team: string) => loadTeam(`${cwd}/teams/${team}.yaml`, { env: {} })
  const server = await serveRuns({ ...place, load, host, port: 0, limits })
  onTestFinished(() => server.close())
  const known = JSON.parse(readFileSync(server.tokens, 'utf8')) as { tokens: { token: string; scopes: string[] }[] }
  const token = (scope: string): string => known.tokens.find(({ scopes }) => scopes.at(-1) === scope)?.token ?? ''
  const ask: Served['ask'] = async (path, { scope = 'read', headers, ...init } = {}) => {
    const own = scope === 'none' ? {} : { authorization: `Bearer ${token(scope)}` }
    const response = await fetch(`${server.url}${path}`, { ...init, headers: { ...own, ...(headers as object) } })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }
  const post: Served['post'] = (path, body, scope = 'approve') =>
    ask(path, { scope, method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  return { ...server, token, ask, post }
}

/** Says these bytes to a server and hears until it hangs up, or has said `until`. */
export function spoken(url: string, bytes: string, until = /$^/): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let heard = ''
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString('latin1')
      if (until.test(heard)) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(heard))
  })
}
