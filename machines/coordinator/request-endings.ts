import { errorText } from '../../src/protocol/words/error-text.ts'
import type { Millis } from '../../src/protocol/words/ids.ts'
import type { GatherPolicy } from '../../src/protocol/team/team-card.ts'
import { chooseReplica, type Replica } from '../../src/rules/team/delegation-plan.ts'
import type { AnyCoordinatorEvent as AnyEvent, CoordinatorContext } from './coordinator-event.ts'
import { roundGoesOn, verdictOf } from './round-verdict.ts'
import {
  amendRequest,
  openRequests,
  orphaned,
  settleRequests,
  unblocked,
  type RequestBook,
  type BookedRequest,
  type Settlement,
} from './request-book.ts'

/*
 * The effect of an event on the requests: which of them end, which are tried again, which may begin. Pure: the
 * functions return the next book and the facts and acts that follow; the machine performs them.
 */

/** All consequences of one event. */
export interface Turn {
  readonly at: Millis
  readonly book: RequestBook
  readonly settled: readonly Settlement[]
  /** To be handed to their workers: again, or now that nothing holds them. */
  readonly handedOut: readonly BookedRequest[]
  /** Requests whose workers are to be told that the results are no longer waited for. */
  readonly recalled: readonly Settlement[]
}

/** `hand_out:r1:2` → `r1`. */
export function requestOfChild(id: string): string {
  return id.slice(id.indexOf(':') + 1, id.lastIndexOf(':'))
}

export function because(reason: string | undefined): { reason?: string } {
  return reason === undefined ? {} : { reason }
}

function lateness({ deadline, closes }: CoordinatorContext): string {
  return deadline < closes ? "the round's time ran out" : "the team's budget of time is used up"
}

function endingIn({ status, reason }: Pick<Settlement, 'status' | 'reason'>): Omit<Settlement, 'request'> {
  return { status, ...because(reason) }
}

/** A failure of an earlier attempt: another one is under way. Work that was done all the same counts. */
function isOutdated(
  booked: BookedRequest | undefined,
  { task, status }: Extract<AnyEvent, { type: 'result.received' }>,
): boolean {
  return task !== undefined && status !== 'done' && booked?.past.includes(task) === true
}

/** The task of the attempt that came to nothing belongs to the past. */
function handedBack(booked: BookedRequest | undefined): Partial<BookedRequest> {
  return booked?.mail_id ? { mail_id: null, past: [...booked.past, booked.mail_id] } : {}
}

/** Which open requests an event ends, and how. */
function endingsOf(context: CoordinatorContext, event: AnyEvent): readonly Settlement[] {
  const { book, lost } = context
  type Ending = Omit<Settlement, 'request'>
  const settle = (picks: (request: BookedRequest) => boolean, ending: Ending): readonly Settlement[] =>
    openRequests(book, picks).map(({ request }) => ({ request, ...ending }))
  const settleOne = (request: string, ending: Ending): readonly Settlement[] =>
    book[request]?.status === 'open' ? [{ request, ...ending }] : []
  switch (event.type) {
    case 'result.received':
      return isOutdated(book[event.request], event) ? [] : settleOne(event.request, endingIn(event))
    case 'request.cancelled':
      return settleOne(event.request, { status: 'cancelled', ...because(event.reason) })
    case 'request.expired':
      return settleOne(event.request, { status: 'timed_out', reason: 'its deadline passed' })
    case 'round.expired':
      return settle(({ round }) => round === event.round, { status: 'timed_out', reason: lateness(context) })
    case 'lead.satisfied':
      return settle(() => true, { status: 'cancelled', reason: event.reason })
    case 'member.lost':
      return settle(({ worker }) => worker === event.member, { status: 'failed', reason: event.reason })
    case 'member.refused':
      return settle(({ worker, held }) => worker === event.member && !held, {
        status: 'failed',
        reason: `${event.member} is not started: ${event.reason}`,
      })
    case 'run.resumed':
      return lost.flatMap((member) =>
        settle(({ worker }) => worker === member, { status: 'failed', reason: `${member} is lost` }),
      )
    case 'request.opened':
      if (!lost.includes(book[event.request]?.worker ?? '')) return []
      return settleOne(event.request, { status: 'failed', reason: `${event.worker} is lost` })
    default:
      if (!('error' in event)) return []
      return settleOne(requestOfChild(event.actorId), {
        status: 'failed',
        reason: `could not be handed out: ${errorText(event.error)}`,
      })
  }
}

/** Workers that can still be asked. */
function present({ workers, lost }: CoordinatorContext): readonly Replica[] {
  return workers.filter(({ name }) => !lost.includes(name))
}

/** The worker of a card that takes a piece of work: one that runs or may be started, if there is any. */
function chosen(context: CoordinatorContext, to: string, book: RequestBook): string | undefined {
  const startable = present(context).filter(({ name }) => !context.refused.includes(name))
  return chooseReplica(to, startable, Object.values(book)) ?? chooseReplica(to, present(context), Object.values(book))
}

/** Another of the same card, where this one may not be started. */
function siblingOf(context: CoordinatorContext, { worker }: BookedRequest): Partial<BookedRequest> | null {
  const card = context.workers.find(({ name }) => name === worker)?.card ?? worker
  const sibling = chosen(context, card, context.book)
  return sibling === undefined || context.refused.includes(sibling) ? null : { worker: sibling }
}

/** How a request that failed is tried once more: by its worker while attempts last, then by the substitute, once. */
function remedyOf(context: CoordinatorContext, event: AnyEvent, ending: Settlement): Partial<BookedRequest> | null {
  const booked = context.book[ending.request]
  if (!booked || ending.status !== 'failed') return null
  // A request that was never handed out has had no attempt: the substitute makes the first one.
  const attempt = booked.held ? booked.attempt : booked.attempt + 1
  const sibling = event.type === 'member.refused' ? siblingOf(context, booked) : null
  if (sibling) return { attempt, ...sibling }
  if (booked.instead_of) return null
  if (event.type === 'result.received' && booked.attempt <= context.policy.retry) return { attempt }
  const worker = substituteFor(context, booked)
  const instead_of = { worker: booked.worker, ...because(ending.reason) }
  return worker === undefined ? null : { attempt, worker, instead_of }
}

function substituteFor(context: CoordinatorContext, { worker }: BookedRequest): string | undefined {
  const { substitute }: GatherPolicy = context.policy
  if (substitute === undefined) return undefined
  const others = present(context).filter(({ name }) => name !== worker)
  return chooseReplica(substitute, others, Object.values(context.book))
}

/**
 * The consequences of an event. Endings spread to requests that build on them; a request that is held by none any more
 * begins.
 */
export function turnOf(context: CoordinatorContext, event: AnyEvent): Turn {
  const again: string[] = []
  const over: Settlement[] = []
  const endings = endingsOf(context, event)
  let { book } = context
  for (const ending of endings) {
    const remedy = remedyOf({ ...context, book }, event, ending)
    if (remedy) book = amendRequest(book, ending.request, { ...remedy, ...handedBack(book[ending.request]) })
    else over.push(ending)
    if (remedy && book[ending.request]?.held === false) again.push(ending.request)
  }
  // A port that failed does not say when: it was a moment after what it was begun for.
  const at = 'at' in event ? event.at : context.at
  const spread = spreadIn({ ...context, book: settleRequests(book, over) }, at)
  const repeated = again.flatMap((request) => spread.book[request] ?? [])
  return {
    at,
    book: spread.book,
    settled: [...over, ...spread.settled],
    handedOut: [...repeated, ...spread.begun],
    recalled: [
      ...endings.filter((ending) => isRecall(context.book[ending.request], event, ending)),
      ...untoldOf(spread.book, event),
    ],
  }
}

/** The effect of the book's endings on requests that wait: some cannot begin any more, others can now. */
function spreadIn(context: CoordinatorContext, at: Millis): Pick<Turn, 'book' | 'settled'> & Begun {
  let { book } = context
  if (openRequests(book, ({ held }) => held).length === 0) return { book, settled: [], begun: [] }
  const settled: Settlement[] = []
  for (let next = orphaned(book); next.length > 0; next = orphaned(book)) {
    book = settleRequests(book, next)
    settled.push(...next)
  }
  // A round that has enough calls off what is open: nothing of it is begun first.
  const next = { ...context, book }
  const isOver = verdictOf(next).settled && !roundGoesOn(next)
  return isOver ? { book, settled, begun: [] } : { settled, ...begin(next, at) }
}

/** The book in which held requests have begun, and which. */
interface Begun {
  readonly book: RequestBook
  readonly begun: readonly BookedRequest[]
}

function untoldOf(book: RequestBook, event: AnyEvent): readonly Settlement[] {
  if (event.type !== 'run.resumed') return []
  return event.untold.flatMap((id) => {
    const { request, status, reason } = book[id] ?? { request: id, status: 'open' }
    return status === 'open' ? [] : [{ request, status, ...because(reason) }]
  })
}

/** A worker that ended by itself, or whose life is being ended, needs not be told. */
function isRecall(booked: BookedRequest | undefined, event: AnyEvent, { status }: Settlement): boolean {
  if (booked?.held !== false) return false
  return status === 'timed_out' || event.type === 'lead.satisfied' || event.type === 'member.refused'
}

/** Gives held requests their worker and their deadline, as many as may be at work at once. One whose card has nobody left keeps its name: the port refuses it. */
function begin(context: CoordinatorContext, at: Millis): Begun {
  let { book } = context
  const free = unblocked(book)
  if (free.length === 0) return { book, begun: free }
  const room = Math.max(0, context.concurrency - openRequests(book, ({ held }) => !held).length)
  const begun = free.slice(0, room).flatMap(({ request, worker, limit_ms }) => {
    const whom = chosen(context, worker, book) ?? worker
    const deadline = limit_ms === null ? null : at + limit_ms
    book = amendRequest(book, request, { worker: whom, deadline, held: false })
    return book[request] ?? []
  })
  return { book, begun }
}
