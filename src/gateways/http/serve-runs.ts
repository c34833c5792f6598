import { createAdaptorServer, type WebSocketServerLike } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { methodNotAllowed } from 'hono/method-not-allowed'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { z } from 'zod'
import { errorText } from '../../protocol/words/error-text.ts'
import { ForPersons } from '../../runtime/runs/for-persons.ts'
import { openServerTokens } from '../../runtime/settings/server-tokens.ts'
import { openAccess } from './access.ts'
import { actingRoutes } from './acting.ts'
import { openFeeds, type Feeds } from './feeds.ts'
import { addDashboard, dashboardPath } from './dashboard-files.ts'
import {
  cookieName,
  countFailed,
  door,
  holding,
  ratesOf,
  type DoorOptions,
  type RateLimits,
  type DoorEnv,
} from './guard.ts'
import { bounded, jsonOf } from './json-body.ts'
import { openApiOf } from './openapi.ts'
import { pageCss, pageHtml, pageJs, pagePolicy } from './page.ts'
import { readingRoutes } from './reading.ts'
import { Refusal } from './refusal.ts'
import type { Route, RunPlace } from './route.ts'
import { socketOf, sseOf, streamingRoutes } from './streaming.ts'

/** How a server of runs is opened. */
export interface ServeRunsOptions extends RunPlace {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Further names under which it is reached: those of a proxy. */
  readonly allowHosts?: readonly string[]
  readonly limits?: Partial<ServeLimits>
  /** The folder with the built files of the dashboard; without one there is none. */
  readonly dashboard?: string
}

/** Bounds of a server. */
export interface ServeLimits extends RateLimits {
  /** Bytes of a body. */
  readonly body: number
  /** Readers of streams, of all runs together. */
  readonly readers: number
  /** Connections at the same time. */
  readonly connections: number
  /** Milliseconds for the head of a request, and for the whole of it. */
  readonly headMs: number
  readonly requestMs: number
  /** Milliseconds between two signs of life on a stream, so that whatever stands between does not take it for dead. */
  readonly beatMs: number
}

const usual: ServeLimits = {
  requests: 1_200,
  failures: 30,
  body: 1 << 20,
  readers: 1_000,
  connections: 2_000,
  headMs: 10_000,
  requestMs: 30_000,
  beatMs: 15_000,
}

/** A server that answers. */
export interface ServedRuns {
  /** Of the page, with a code that counts once. */
  readonly page: string
  /** The same of the dashboard; null where it is not built. */
  readonly dashboard: string | null
  readonly url: string
  readonly tokens: string
  /** Ends streams and connections; resolves when nobody is connected. */
  close(): Promise<void>
}

/** Bytes of a request for a session, which anybody may send. */
const mostOfCode = 1_024

/** How long requests that are being answered may take at the end. */
const graceMs = 5_000

/**
 * Serves the runs of a directory over HTTP until it is closed. No run depends on it: leaders are processes of their own.
 * @throws Error when the tokens cannot be read, or the address is taken
 */
export async function serveRuns(options: ServeRunsOptions): Promise<ServedRuns> {
  const limits = { ...usual, ...options.limits }
  const now = (): number => performance.now()
  const tokens = openServerTokens(options.home)
  const access = openAccess(tokens, now)
  const feeds = openFeeds(limits.readers)
  const hosts = new Set<string>()
  const { app, hasDashboard } = appOf(
    options,
    { hosts: () => hosts, access, rates: ratesOf(limits, now), limits },
    feeds,
  )
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1_024 })
  const server = createAdaptorServer({
    fetch: app.fetch,
    websocket: { server: sockets as unknown as WebSocketServerLike },
    serverOptions: boundsOf(limits),
  }) as Server
  server.maxConnections = limits.connections
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const url = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`)
  for (const host of [...own, new URL(url).host, ...(options.allowHosts ?? [])]) hosts.add(host.toLowerCase())
  return {
    url,
    page: `${url}/#${access.code()}`,
    dashboard: hasDashboard ? `${url}${dashboardPath}/#${access.code()}` : null,
    tokens: tokens.file,
    close: () => closed(server, sockets, feeds),
  }
}

function boundsOf({ headMs, requestMs }: ServeLimits) {
  return {
    headersTimeout: headMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(2_000, headMs),
    maxHeaderSize: 16_384,
    // A connection that is to become something else than a WebSocket would be nobody's.
    shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
  }
}

async function closed(server: Server, sockets: WebSocketServer, feeds: Feeds): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()))
  feeds.close()
  for (const socket of sockets.clients) socket.close(1001)
  server.closeIdleConnections()
  const late = setTimeout(() => {
    server.closeAllConnections()
    for (const socket of sockets.clients) socket.terminate()
  }, graceMs)
  await ended
  clearTimeout(late)
}

function appOf(place: ServeRunsOptions, options: DoorOptions & { limits: ServeLimits }, feeds: Feeds) {
  const app = new Hono<DoorEnv>()
  app.onError(refused)
  app.notFound((context) => context.json({ error: { code: 'not_found', message: 'nothing is here' } }, 404))
  app.use(door(options))
  app.use(methodNotAllowed({ app, onMethodNotAllowed: wrongMethod }))
  pageOf(app, options)
  const hasDashboard = addDashboard(app, place.dashboard)
  const guards = { read: holding('read', options), act: holding('act', options), approve: holding('approve', options) }
  const routes: readonly Route[] = [...readingRoutes, ...actingRoutes, ...streamingRoutes]
  // A body is taken from those with a right alone: anybody could make the server hold thousands of them.
  const limit = bounded(options.limits.body)
  for (const route of [...readingRoutes, ...actingRoutes])
    app[route.method](honoPath(route), guards[route.scope], limit, (context) => answered(route, place, context))
  for (const route of streamingRoutes) {
    const { beatMs } = options.limits
    const sse = (context: Context): Response => sseOf(context, { place, feeds, beatMs })
    app.get(honoPath(route), guards[route.scope], route.wire === 'sse' ? sse : socketOf(place, feeds, beatMs))
  }
  app.get('/api/openapi.json', guards.read, (context) => context.json(openApiOf(routes, place.version)))
  return { app, hasDashboard }
}

/** The page and its session: the one part that answers without a right. */
function pageOf(app: Hono<DoorEnv>, options: DoorOptions): void {
  const file = (media: string, text: string) => (context: Context) =>
    context.body(text, 200, { 'content-type': media, 'content-security-policy': pagePolicy })
  app.get('/', file('text/html; charset=utf-8', pageHtml))
  app.get('/page.js', file('text/javascript; charset=utf-8', pageJs))
  app.get('/page.css', file('text/css; charset=utf-8', pageCss))
  app.post('/api/session', bounded(mostOfCode), async (context) => {
    const { code } = z.strictObject({ code: z.string() }).parse(await jsonOf(context))
    const session = options.access.enter(code)
    if (session === null) {
      countFailed(options.rates, context)
      throw new Refusal(401, 'no_code', 'this code does not count, or no longer')
    }
    const isProxied = context.req.header('x-forwarded-proto') === 'https'
    setCookie(context, cookieName(context), session, {
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
      secure: isProxied,
    })
    return context.json({ opened: true })
  })
  app.post('/api/session/end', (context) => {
    options.access.leave(getCookie(context, cookieName(context)) ?? '')
    deleteCookie(context, cookieName(context), { path: '/' })
    return context.json({ opened: false })
  })
}

function honoPath({ path }: Route): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

async function answered(route: Route, place: RunPlace, context: Context<DoorEnv>): Promise<Response> {
  const query = (route.query ?? z.strictObject({})).parse(context.req.query())
  const body = route.body === undefined ? undefined : route.body.parse(await jsonOf(context))
  const answer = await route.answer?.({
    place,
    params: context.req.param(),
    query,
    body,
    isPage: context.get('rights').isCookie,
  })
  return answer instanceof Response ? answer : context.json(answer as object)
}

function wrongMethod(context: Context, methods: readonly string[]): Response {
  const message = `this is asked with ${methods.join(' or ')}`
  return context.json({ error: { code: 'wrong_method', message } }, 405, { allow: methods.join(', ') })
}

/** A failure is an answer, too. */
function refused(error: Error, context: Context): Response {
  if (error instanceof Refusal)
    return context.json({ error: { code: error.code, message: error.message } }, error.status)
  if (error instanceof z.ZodError) {
    const where = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
    return context.json({ error: { code: 'bad_request', message: where } }, 400)
  }
  const status = error instanceof ForPersons ? 403 : 409
  return context.json({ error: { code: error.name, message: errorText(error) } }, status)
}
