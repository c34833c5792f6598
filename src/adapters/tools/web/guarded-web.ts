import type { BlockList, LookupFunction } from 'node:net'
import type { RequestInit } from 'undici'
import { errorCode } from '../../fs/error-code.ts'

/*
 * The public web, and nothing but it.
 * Owns: the connections. Never: connects to a blocked address, follows a redirect by itself, sends anything of this machine
 * but what it is given.
 * 1. The address is judged when the connection is made, after the name was resolved: a name that changes its mind gains
 *    nothing.
 * 2. Before anything is fetched the guard proves that it works; one that does not work fetches nothing.
 */

export interface WebOptions {
  readonly blocked: BlockList
  /** How names become addresses; the system's way by default. */
  readonly lookup?: LookupFunction
  /** How long it waits for headers and between pieces of a body; 20 s by default. */
  readonly patienceMs?: number
  /** Places that have to be refused before anything is fetched; by default one of nobody and one of this machine. */
  readonly proofs?: readonly string[]
}

export interface GuardedWeb {
  /** @throws BlockedAddress, or what the network says. */
  get(url: URL, signal: AbortSignal): Promise<WebAnswer>
  /** @throws BlockedAddress, or what the network says. */
  post(url: URL, sent: Sent, signal: AbortSignal): Promise<WebAnswer>
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface WebAnswer {
  readonly status: number
  readonly header: (name: string) => string | null
  readonly body: AsyncIterable<Uint8Array>
}

/** The address behind a URL is closed to tools; the message says it in words. */
export class BlockedAddress extends Error {}

const userAgent = 'troupe-webfetch/1 (+https://www.npmjs.com/package/troupe)'
const accept = 'text/markdown, text/html;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.1'
const connectMs = 10_000

/** Opens the web: `const web = await openWeb({ blocked: blockedAddresses() })`. */
export async function openWeb({ blocked, lookup, patienceMs = 20_000, proofs }: WebOptions): Promise<GuardedWeb> {
  const { Agent, fetch } = await import('undici')
  const dispatcher = new Agent({
    connect: { blockList: blocked, timeout: connectMs, ...(lookup ? { lookup } : {}) },
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
    maxResponseSize: -1,
    // No connection is kept open between calls: a process that has no more work can end.
    keepAliveTimeout: 1,
    pipelining: 0,
  })
  const send = async (url: URL, sent: RequestInit, signal: AbortSignal): Promise<WebAnswer> => {
    try {
      const response = await fetch(url, { ...sent, dispatcher, signal, redirect: 'manual' })
      const { status, body } = response
      return { status, header: (name) => response.headers.get(name), body: body ?? noBody() }
    } catch (error) {
      throw isBlocked(error) ? new BlockedAddress(`${url.host} leads to an address that is closed to tools`) : error
    }
  }
  const web: GuardedWeb = {
    get: (url, signal) => send(url, { headers: { 'user-agent': userAgent, accept } }, signal),
    post: (url, sent, signal) => send(url, { method: 'POST', ...sent }, signal),
  }
  await prove(web, proofs)
  return web
}

/** An address that is nobody's and one that is this machine's: with a guard both are refused before they are tried. */
async function prove(
  web: GuardedWeb,
  proofs: readonly string[] = ['http://192.0.2.1/', 'http://[::1]:49151/'],
): Promise<void> {
  for (const place of proofs) {
    const outcome = await web.get(new URL(place), AbortSignal.timeout(2_000)).catch((error: unknown) => error)
    if (!(outcome instanceof BlockedAddress)) throw new Error('the guard against private addresses does not work here')
  }
}

function isBlocked(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    if (errorCode(cause) === 'ERR_IP_BLOCKED') return true
    if (cause instanceof AggregateError && cause.errors.some((each) => errorCode(each) === 'ERR_IP_BLOCKED'))
      return true
  }
  return false
}

async function* noBody(): AsyncGenerator<Uint8Array> {}
