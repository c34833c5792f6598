import { assign, emit, enqueueActions, setup } from 'xstate'
import type { FactOf } from '../src/protocol/fact.ts'
import type { Millis } from '../src/protocol/ids.ts'
import type { RedelegateInput, RedelegateOutput } from '../src/protocol/port.ts'
import type { GatherPolicy, ResolvedTeam } from '../src/protocol/team-card.ts'
import { coordinatorTools, type CoordinatorState } from '../src/rules/coordinator-tools.ts'
import { gatherVerdict } from '../src/rules/gather-policy.ts'
import { delayUntil } from './alarm.ts'
import { errorText } from './error-text.ts'
import { port } from './port.ts'
import {
  amendRequest,
  bookRequest,
  countEndings,
  openRequests,
  settleRequests,
  type Book,
  type BookedRequest,
  type OpenedRequest,
  type Settlement,
} from './request-book.ts'

export interface CoordinatorInput {
  /** The lead's name. */
  readonly lead: string
  readonly policy: GatherPolicy
  readonly partition: ResolvedTeam['partition']
  /** The tools of the coordinator's own card. */
  readonly domain: readonly string[]
}

export type CoordinatorEvent =
  | ({ readonly type: 'request.opened'; readonly at: Millis } & OpenedRequest)
  | {
      readonly type: 'result.received'
      readonly request: string
      readonly status: 'done' | 'failed' | 'cancelled'
      readonly reason?: string
      readonly at: Millis
    }
  | { readonly type: 'request.cancelled'; readonly request: string; readonly at: Millis }
  | { readonly type: 'member.lost'; readonly member: string; readonly reason: string; readonly at: Millis }
  | { readonly type: 'lead.woke'; readonly at: Millis }
  /** The lead asked its model: what settled before is part of its conversation now. */
  | { readonly type: 'lead.asked'; readonly at: Millis }
  | { readonly type: 'lead.idled'; readonly at: Millis }
  | { readonly type: 'end'; readonly at: Millis }

type OwnEvent =
  | { readonly type: 'request.expired'; readonly request: string; readonly at: Millis }
  | { readonly type: 'round.expired'; readonly round: number; readonly at: Millis }
  | {
      readonly type: `xstate.done.actor.redelegate:${string}`
      readonly output: RedelegateOutput
      readonly actorId: string
    }
  | { readonly type: `xstate.error.actor.redelegate:${string}`; readonly error: unknown; readonly actorId: string }

type AnyEvent = CoordinatorEvent | OwnEvent

export interface CoordinatorContext {
  readonly lead: string
  readonly policy: GatherPolicy
  readonly card: { readonly partition: ResolvedTeam['partition']; readonly domain: readonly string[] }
  readonly book: Book
  readonly round: number
  /** When the current round ends at the latest. */
  readonly deadline: Millis
  readonly lost: readonly string[]
  /** Results that settled a gather and that the lead has not been asked about yet. */
  readonly news: boolean
}

type Emitted = FactOf<'request.opened' | 'request.settled' | 'gather.opened' | 'gather.settled' | 'coordinator.moved'>

const isRetry = ({ context, event }: { context: CoordinatorContext; event: AnyEvent }): boolean => {
  if (event.type !== 'result.received' || event.status !== 'failed') return false
  const booked = context.book[event.request]
  return booked?.status === 'open' && booked.attempt <= context.policy.retry
}

const roundOf = ({ book, round }: CoordinatorContext): readonly BookedRequest[] =>
  Object.values(book).filter((request) => request.round === round)

/** The policy is asked only when something ended since it last answered. */
const verdictOf = (context: CoordinatorContext): ReturnType<typeof gatherVerdict> => {
  const requests = roundOf(context)
  const isNews = requests.some(({ status, counted }) => status !== 'open' && !counted)
  return isNews ? gatherVerdict(context.policy, requests) : { settled: false }
}

/** `redelegate:r1:2` → `r1`. */
const requestOfChild = (id: string): string => id.slice('redelegate:'.length, id.lastIndexOf(':'))

const because = (reason: string | undefined): { reason?: string } => (reason === undefined ? {} : { reason })

/** Which open requests an event ends, and how. */
const settlementsOf = (context: CoordinatorContext, event: AnyEvent): readonly Settlement[] => {
  const settle = (
    picks: (request: BookedRequest) => boolean,
    ending: Omit<Settlement, 'request'>,
  ): readonly Settlement[] => openRequests(context.book, picks).map(({ request }) => ({ request, ...ending }))
  switch (event.type) {
    case 'result.received':
      return settle(({ request }) => request === event.request, { status: event.status, ...because(event.reason) })
    case 'request.cancelled':
      return settle(({ request }) => request === event.request, { status: 'cancelled' })
    case 'request.expired':
      return settle(({ request }) => request === event.request, { status: 'timed_out', reason: 'its deadline passed' })
    case 'round.expired':
      return settle(({ round }) => round === event.round, { status: 'timed_out', reason: "the round's time ran out" })
    case 'member.lost':
      return settle(({ worker }) => worker === event.member, { status: 'failed', reason: event.reason })
    case 'request.opened':
      return settle(({ request, worker }) => request === event.request && context.lost.includes(worker), {
        status: 'failed',
        reason: `${event.worker} is lost`,
      })
    default:
      if (!('error' in event)) return []
      return settle(({ request }) => request === requestOfChild(event.actorId), {
        status: 'failed',
        reason: `could not be sent again: ${errorText(event.error)}`,
      })
  }
}

const settledFact = (book: Book, { request, status, reason }: Settlement): FactOf<'request.settled'> => ({
  type: 'request.settled',
  request,
  worker: book[request]?.worker ?? '',
  status,
  ...because(reason),
})

/** The words of the coordinator machine. `coordinator.ts` says when each is used. */
export const coordinatorSetup = setup({
  types: {
    context: {} as CoordinatorContext,
    events: {} as AnyEvent,
    input: {} as CoordinatorInput,
    emitted: {} as Emitted,
  },
  actors: { redelegate: port<RedelegateOutput, RedelegateInput>('redelegate') },
  guards: {
    isNewRequest: ({ context, event }) => event.type === 'request.opened' && !(event.request in context.book),
    isWorthAnotherTry: isRetry,
    isThisRound: ({ context, event }) => event.type === 'round.expired' && event.round === context.round,
    gathersOn: ({ context }) => {
      const verdict = verdictOf(context)
      return (
        verdict.settled && verdict.why === 'progressive' && roundOf(context).some(({ status }) => status === 'open')
      )
    },
    isGathered: ({ context }) => verdictOf(context).settled,
    owesNothing: ({ context }) => openRequests(context.book).length === 0,
  },
  actions: {
    move: emit(({ context }, { state }: { state: CoordinatorState }) => ({
      type: 'coordinator.moved' as const,
      state,
      tools: [...coordinatorTools(state, context.card)],
    })),
    openRound: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'request.opened') return
      const round = context.round + 1
      const deadline = event.at + context.policy.timeout_ms
      enqueue.assign({ round, deadline, news: false })
      enqueue.emit({ type: 'gather.opened', deadline })
      enqueue.raise({ type: 'round.expired', round, at: deadline }, { delay: delayUntil(deadline, event.at) })
    }),
    bookRequest: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'request.opened') return
      const { request, deadline, at } = event
      enqueue.assign({ book: bookRequest(context.book, event, context.round) })
      if (deadline === null || deadline >= context.deadline) return
      enqueue.raise({ type: 'request.expired', request, at: deadline }, { delay: delayUntil(deadline, at) })
    }),
    settle: enqueueActions(({ context, event, enqueue }) => {
      const settlements = settlementsOf(context, event)
      enqueue.assign({ book: settleRequests(context.book, settlements) })
      for (const settlement of settlements) enqueue.emit(settledFact(context.book, settlement))
    }),
    rememberLost: assign({
      lost: ({ context, event }) => (event.type === 'member.lost' ? [...context.lost, event.member] : context.lost),
    }),
    sendAgain: enqueueActions(({ context, event, enqueue }) => {
      const booked = event.type === 'result.received' ? context.book[event.request] : undefined
      if (!booked) return
      const { request, worker, task, deadline } = booked
      const attempt = booked.attempt + 1
      enqueue.assign({ book: amendRequest(context.book, request, { attempt }) })
      enqueue.spawnChild('redelegate', {
        id: `redelegate:${request}:${attempt}`,
        input: { request, worker, task, attempt, deadline },
      })
    }),
    noteSentAgain: enqueueActions(({ context, event, enqueue }) => {
      if (!('output' in event)) return
      enqueue.stopChild(event.actorId)
      const { mail_id } = event.output
      const booked = context.book[requestOfChild(event.actorId)]
      if (booked?.status !== 'open') return
      const { request, worker, task, attempt, deadline } = booked
      enqueue.assign({ book: amendRequest(context.book, request, { mail_id }) })
      enqueue.emit({ type: 'request.opened', request, worker, task, mail_id, attempt, deadline })
    }),
    letGo: enqueueActions(({ event, enqueue }) => {
      if ('error' in event) enqueue.stopChild(event.actorId)
    }),
    settleGather: enqueueActions(({ context, enqueue }) => {
      const verdict = verdictOf(context)
      if (!verdict.settled) return
      enqueue.assign({ book: countEndings(context.book), news: true })
      enqueue.emit({ type: 'gather.settled', why: verdict.why })
    }),
    settleLate: enqueueActions(({ context, enqueue }) => {
      enqueue.assign({ book: countEndings(context.book), news: true })
      enqueue.emit({ type: 'gather.settled', why: 'timeout' })
    }),
    readNews: assign({ news: false }),
  },
})
