import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { boundedBody } from './bounded-body.ts'

/** Beginnings, within a second, of the stream of what a server says by itself: one may end it at once, again and again. */
const mostStreams = 4
const secondMs = 1_000

/** Requests of one connection at the same time: a server can have them made by asking something. */
const mostOpen = 500

interface Requesting {
  /** The address of the entry. */
  readonly address: URL
  /** For requests of the protocol to that server: those of a login may go to others. */
  readonly headers: Readonly<Record<string, string>>
  /** Until the head of an answer, in milliseconds, and again until the end of an answer that is no stream. */
  readonly timeout: number
  /** Until the end of an answer that is a stream. */
  readonly patience: number
}

/**
 * The requests of one connection.
 * 1. Each ends after a while, whatever the server sends. A GET does not: it is the stream of what the server says by
 *    itself, which stays open for as long as the connection.
 * 2. Redirects are followed inside one origin; the headers of the entry go to its origin, and with messages alone.
 */
export function carefulFetch({ address, headers, timeout, patience }: Requesting): FetchLike {
  let open = 0
  const pace = streamPace()
  return async (url, init = {}) => {
    if (open >= mostOpen) throw new Error(`more than ${mostOpen} requests wait for an answer`)
    open += 1
    const own = isMessage(init) && new URL(url).origin === address.origin ? withHeaders(init, headers) : init
    const late = new AbortController()
    const giveUp = (): void => late.abort(new Error(`no answer within ${timeout / 1_000} s`))
    const isStream = (init.method ?? 'GET').toUpperCase() === 'GET' && accepts(init, 'text/event-stream')
    const timer = isStream ? undefined : setTimeout(giveUp, timeout + 1_000)
    const signal = init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal
    try {
      if (isStream) await pace(signal)
      const response = await fetchHere(url, { ...own, signal })
      return boundedBody(response, isStream ? null : { timeout, patience, giveUp })
    } finally {
      open -= 1
      clearTimeout(timer)
    }
  }
}

/** Lets streams begin, as many as may within a second. */
function streamPace(): (signal: AbortSignal) => Promise<void> {
  const recent = new Set<AbortSignal>()
  return async (signal) => {
    while (recent.size >= mostStreams) await sleep(secondMs / mostStreams, undefined, { signal })
    recent.add(signal)
    setTimeout(() => recent.delete(signal), secondMs).unref()
  }
}

/** Whether a request carries a message of the protocol, or asks for some; all others belong to a login. */
function isMessage(init: RequestInit): boolean {
  const { method = 'GET', body } = init
  if (method === 'POST') return typeof body === 'string' && body.includes('"jsonrpc"')
  return method === 'DELETE' || accepts(init, 'text/event-stream')
}

function accepts({ headers }: RequestInit, type: string): boolean {
  return new Headers(headers).get('accept')?.includes(type) === true
}

function withHeaders(init: RequestInit, more: Readonly<Record<string, string>>): RequestInit {
  const headers = new Headers(init.headers)
  for (const [name, value] of Object.entries(more)) headers.set(name, value)
  return { ...init, headers }
}

const mostRedirects = 5

/**
 * Follows redirects inside one origin. Any other could lead headers with credentials to strangers, and requests to
 * addresses that only this machine reaches.
 *
 * @throws when the server sends somewhere else
 */
async function fetchHere(url: string | URL, init: RequestInit, left = mostRedirects): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  const place = response.headers.get('location')
  if (response.status < 300 || response.status > 399 || place === null) return response
  await response.body?.cancel()
  const next = URL.parse(place, String(url))
  if (next === null || next.origin !== new URL(url).origin || left === 0)
    throw new Error(
      `it redirects to ${next?.origin ?? 'no address'}, which is not followed: name that address in its url`,
    )
  if (response.status > 303) return fetchHere(next, init, left - 1)
  return fetchHere(next, { ...init, method: 'GET', body: null }, left - 1)
}
