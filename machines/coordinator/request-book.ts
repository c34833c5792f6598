import type { Contract } from '../../src/protocol/mail/envelope.ts'
import type { FactOf } from '../../src/protocol/facts/fact.ts'
import type { Millis } from '../../src/protocol/words/ids.ts'

/**
 * The coordinator's book of requests: who was asked for what, in which round, and how it ended.
 * Pure: each function takes a book and returns facts to be or the next book.
 */
export type SettledStatus = FactOf<'request.settled'>['status']

/** The opener's words on a request. */
export interface OpenedRequest {
  readonly request: string
  readonly worker: string
  readonly task: string
  readonly mail_id: string
  readonly attempt: number
  readonly deadline: Millis | null
  readonly returns?: Contract | undefined
}

/** The description of a request that has to wait for others. */
export interface HeldRequest {
  readonly request: string
  readonly worker: string
  readonly task: string
  readonly depends_on: readonly string[]
  readonly limit_ms: number | null
  readonly returns?: Contract | undefined
}

export interface BookedRequest {
  readonly request: string
  /** While it is held this may be a card, of which a replica is chosen when it is handed out. */
  readonly worker: string
  readonly task: string
  readonly attempt: number
  /** The mail with the task; null while the task is being handed out. */
  readonly mail_id: string | null
  /** The mails of attempts before this one. */
  readonly past: readonly string[]
  readonly deadline: Millis | null
  readonly depends_on: readonly string[]
  readonly limit_ms: number | null
  readonly returns: Contract | null
  /** Not handed out yet. */
  readonly held: boolean
  /** The worker before the substitute, and the fate of the request there; null while the first worker has it. */
  readonly instead_of: FactOf<'request.opened'>['instead_of'] | null
  readonly round: number
  readonly status: 'open' | SettledStatus
  readonly reason?: string
  /** A gather that settled has counted this ending already. */
  readonly counted: boolean
}

export type RequestBook = Readonly<Record<string, BookedRequest>>

export interface Settlement {
  readonly request: string
  readonly status: SettledStatus
  readonly reason?: string
}

/** The requests without an ending that `picks` chooses; all of them when it is left out. */
export function openRequests(
  book: RequestBook,
  picks: (request: BookedRequest) => boolean = () => true,
): readonly BookedRequest[] {
  return Object.values(book).filter((request) => request.status === 'open' && picks(request))
}

const fresh = { attempt: 1, mail_id: null, past: [], instead_of: null, status: 'open', counted: false } as const

/** The book with one more open request. */
export function bookRequest(book: RequestBook, opened: OpenedRequest, round: number): RequestBook {
  const { request, worker, task, mail_id, attempt, deadline, returns = null } = opened
  const given = { request, worker, task, mail_id, attempt, deadline, returns }
  return { ...book, [request]: { ...fresh, ...given, depends_on: [], limit_ms: null, held: false, round } }
}

/** The book with one more request that waits for others. */
export function holdRequest(book: RequestBook, held: HeldRequest, round: number): RequestBook {
  const { request, worker, task, depends_on, limit_ms, returns = null } = held
  const given = { request, worker, task, depends_on, limit_ms, returns }
  return { ...book, [request]: { ...fresh, ...given, deadline: null, held: true, round } }
}

/** The book with changes to one request; an unknown one changes nothing. */
export function amendRequest(book: RequestBook, request: string, change: Partial<BookedRequest>): RequestBook {
  const booked = book[request]
  return booked ? { ...book, [request]: { ...booked, ...change } } : book
}

/** The book after these endings. A request ends once: later endings were left out by whoever listed them. */
export function settleRequests(book: RequestBook, settlements: readonly Settlement[]): RequestBook {
  return settlements.reduce(
    (next, { request, status, reason }) =>
      amendRequest(next, request, { status, ...(reason === undefined ? {} : { reason }) }),
    book,
  )
}

/** The endings that follow from those in the book: what builds on a request that was not done cannot begin. */
export function orphaned(book: RequestBook): readonly Settlement[] {
  return openRequests(book, ({ held }) => held).flatMap(({ request, depends_on }): Settlement[] => {
    const lost = depends_on.map((id) => book[id]).find((booked) => booked && !['open', 'done'].includes(booked.status))
    if (!lost) return []
    if (lost.status !== 'cancelled')
      return [{ request, status: 'failed', reason: `it builds on ${lost.request}, which was not done` }]
    return [{ request, status: 'cancelled', reason: `it builds on ${lost.request}, which was cancelled` }]
  })
}

/** Held requests that nothing holds any more. */
export function unblocked(book: RequestBook): readonly BookedRequest[] {
  return openRequests(
    book,
    ({ held, depends_on }) => held && depends_on.every((request) => book[request]?.status === 'done'),
  )
}

/** The book in which every ending so far has been counted. */
export function countEndings(book: RequestBook): RequestBook {
  const counted = Object.values(book).map((request) => ({ ...request, counted: request.status !== 'open' }))
  return Object.fromEntries(counted.map((request) => [request.request, request]))
}
