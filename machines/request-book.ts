import type { FactOf } from '../src/protocol/fact.ts'
import type { Millis } from '../src/protocol/ids.ts'

/**
 * The coordinator's book of requests: who was asked for what, in which round, and how it ended.
 * Pure: each function takes a book and returns facts to be or the next book.
 */
export type SettledStatus = FactOf<'request.settled'>['status']

/** What the opener of a request says about it. */
export interface OpenedRequest {
  readonly request: string
  readonly worker: string
  readonly task: string
  readonly mail_id: string
  readonly attempt: number
  readonly deadline: Millis | null
}

export interface BookedRequest extends OpenedRequest {
  readonly round: number
  readonly status: 'open' | SettledStatus
  /** A gather that settled has counted this ending already. */
  readonly counted: boolean
}

export type Book = Readonly<Record<string, BookedRequest>>

export interface Settlement {
  readonly request: string
  readonly status: SettledStatus
  readonly reason?: string
}

/** The requests without an ending that `picks` chooses; all of them when it is left out. */
export function openRequests(
  book: Book,
  picks: (request: BookedRequest) => boolean = () => true,
): readonly BookedRequest[] {
  return Object.values(book).filter((request) => request.status === 'open' && picks(request))
}

/** The book with one more open request. */
export function bookRequest(book: Book, opened: OpenedRequest, round: number): Book {
  const { request, worker, task, mail_id, attempt, deadline } = opened
  const booked: BookedRequest = {
    request,
    worker,
    task,
    mail_id,
    attempt,
    deadline,
    round,
    status: 'open',
    counted: false,
  }
  return { ...book, [request]: booked }
}

/** The book with changes to one request; an unknown one changes nothing. */
export function amendRequest(book: Book, request: string, change: Partial<BookedRequest>): Book {
  const booked = book[request]
  return booked ? { ...book, [request]: { ...booked, ...change } } : book
}

/** The book after these endings. A request ends once: later endings were left out by whoever listed them. */
export function settleRequests(book: Book, settlements: readonly Settlement[]): Book {
  return settlements.reduce((next, { request, status }) => amendRequest(next, request, { status }), book)
}

/** The book in which every ending so far has been counted. */
export function countEndings(book: Book): Book {
  const counted = Object.values(book).map((request) => ({ ...request, counted: request.status !== 'open' }))
  return Object.fromEntries(counted.map((request) => [request.request, request]))
}
