import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import type { ServerScope } from '../../runtime/settings/server-tokens.ts'
import type { Access, Rights } from './access.ts'
import { Refusal } from './refusal.ts'

/*
 * Decides at the door who is answered. Owns: names of this server, origins, tokens, cookies and rates.
 * 1. A request for another name is refused: a page whose name was bent to this address (DNS rebinding) gets nothing.
 * 2. A request of another origin is refused, with whatever cookie or method. No CORS header is ever sent.
 * 3. A token counts in the header alone: an address stands in logs and histories.
 */

export type DoorEnv = { Bindings: HttpBindings; Variables: { rights: Rights } }

/** The door of a server. */
export interface DoorOptions {
  /** The names under which it is reached, with their ports. */
  readonly hosts: () => ReadonlySet<string>
  readonly access: Access
  readonly rates: Rates
}

/** Each counts once more for a key, and says whether there were too many. */
export interface Rates {
  /** By token or session. */
  readonly asked: (key: string) => boolean
  /** By address. */
  readonly failed: (key: string) => boolean
}

/** Requests in a minute, of one token or session, and without rights from one address. */
export interface RateLimits {
  readonly requests: number
  readonly failures: number
}

/** Headers that decide who is answered: of two, one reader would believe the first and another the last. */
const once = ['host', 'origin', 'authorization', 'content-type', 'sec-fetch-site']

/**
 * The name of the cookie that a page gets for its code. It has the port in it: a browser keeps one set of cookies for all
 * servers of a machine.
 */
export function cookieName({ env }: Context<DoorEnv>): string {
  return `troupe_session_${env.incoming.socket.localPort}`
}

/** Lets a request in by where it comes from; whose it is comes later. */
export function door({ hosts }: DoorOptions): MiddlewareHandler<DoorEnv> {
  return async (context, next) => {
    const { incoming } = context.env
    const names = incoming.rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())
    const { host = '' } = incoming.headers
    if (host === '' || !incoming.url?.startsWith('/'))
      throw new Refusal(400, 'bad_request', 'the request does not name its server')
    for (const name of once)
      if (names.indexOf(name) !== names.lastIndexOf(name))
        throw new Refusal(400, 'bad_request', `the request has more than one ${name}`)
    if (!hosts().has(host.toLowerCase()))
      throw new Refusal(421, 'wrong_host', `this server is not ${host}; troupe serve --allow-host lets it be`)
    refuseForeign(context, hosts())
    for (const key of new URL(context.req.url).searchParams.keys())
      if (/token|secret|^code$/i.test(key))
        throw new Refusal(400, 'token_in_address', 'a token in an address is in logs: send Authorization: Bearer')
    context.header('cache-control', 'no-store')
    context.header('x-content-type-options', 'nosniff')
    context.header('referrer-policy', 'no-referrer')
    context.header('cross-origin-resource-policy', 'same-origin')
    await next()
  }
}

function refuseForeign(context: Context<DoorEnv>, hosts: ReadonlySet<string>): void {
  const origin = context.req.header('origin')
  const isOwn = origin === undefined || hosts.has(/^https?:\/\/(.*)$/.exec(origin)?.[1] ?? '')
  const site = context.req.header('sec-fetch-site')
  const isLoad = site === undefined || site === 'same-origin' || site === 'none'
  if (!isOwn || !isLoad) throw new Refusal(403, 'foreign_origin', 'another page may not ask this server')
}

/** Lets those through who have a right; `scope` null asks for none. */
export function holding(scope: ServerScope, { access, rates }: DoorOptions): MiddlewareHandler<DoorEnv> {
  return async (context, next) => {
    const bearer = /^Bearer (\S+)$/.exec(context.req.header('authorization') ?? '')?.[1]
    const rights = access.scopesOf({ bearer, session: getCookie(context, cookieName(context)) })
    if (rights === null) {
      countFailed(rates, context)
      context.header('www-authenticate', 'Bearer realm="troupe"')
      throw new Refusal(401, 'no_token', 'send Authorization: Bearer with a token of ~/.troupe/server-tokens.json')
    }
    refuseMany(rates.asked(rights.key), context)
    if (!rights.scopes.includes(scope)) throw new Refusal(403, 'scope', `this needs a token with the scope ${scope}`)
    if (rights.isCookie && context.req.method !== 'GET' && context.req.header('origin') === undefined)
      throw new Refusal(403, 'foreign_origin', 'a page that changes something says where it comes from')
    context.set('rights', rights)
    await next()
  }
}

/**
 * Counts a request without a right.
 * @throws Refusal when there were too many from this address
 */
export function countFailed({ failed }: Rates, context: Context<DoorEnv>): void {
  refuseMany(failed(context.env.incoming.socket.remoteAddress ?? ''), context)
}

const minute = 60_000
const mostKeys = 10_000

/**
 * The counters of one server, for all that it is asked.
 * @param now milliseconds that never go back
 */
export function ratesOf(limits: RateLimits, now: () => number): Rates {
  return { asked: counter(limits.requests, now), failed: counter(limits.failures, now) }
}

/** Counts by key in whole minutes; answers whether there were too many. */
function counter(most: number, now: () => number): (key: string) => boolean {
  const counts = new Map<string, number>()
  let began = now()
  return (key) => {
    if (now() - began >= minute || counts.size >= mostKeys) {
      counts.clear()
      began = now()
    }
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count > most
  }
}

function refuseMany(isTooMany: boolean, context: Context<DoorEnv>): void {
  if (!isTooMany) return
  context.header('retry-after', '60')
  throw new Refusal(429, 'too_many', 'too many requests in this minute')
}
