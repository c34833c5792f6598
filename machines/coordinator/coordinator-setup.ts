import { assign, emit, enqueueActions, setup } from 'xstate'
import { errorText } from '../../src/protocol/words/error-text.ts'
import type { FactOf } from '../../src/protocol/facts/fact.ts'
import type { Millis } from '../../src/protocol/words/ids.ts'
import type { HandOutInput, HandOutOutput, RecallInput } from '../../src/protocol/port.ts'
import {
  coordinatorTools,
  roundsOf,
  type CoordinatorPlace,
  type CoordinatorState,
} from '../../src/rules/team/coordinator-tools.ts'
import { gatherFailureText } from '../../src/rules/team/gather-note.ts'
import { delayUntil } from '../actors/alarm.ts'
import type { AnyCoordinatorEvent, CoordinatorContext, CoordinatorInput } from './coordinator-event.ts'
import { port } from '../actors/port.ts'
import {
  amendRequest,
  bookRequest,
  countEndings,
  holdRequest,
  openRequests,
  settleRequests,
  type RequestBook,
  type BookedRequest,
  type Settlement,
} from './request-book.ts'
import { because, requestOfChild, turnOf } from './request-endings.ts'
import { roundGoesOn, roundOf, verdictOf } from './round-verdict.ts'

type Emitted = FactOf<
  | 'request.opened'
  | 'request.settled'
  | 'gather.opened'
  | 'gather.settled'
  | 'coordinator.moved'
  | 'budget.exhausted'
  | 'warning.raised'
>

const enough = 'enough results are in'

/** The place of a coordinator in a state: how many rounds are left to it. */
export function placeIn(
  state: CoordinatorState,
  { policy, round, before }: Pick<CoordinatorContext, 'policy' | 'round' | 'before'>,
): CoordinatorPlace {
  return { state, rounds: Math.max(0, roundsOf(policy) - (round - before)) }
}

const settledFact = (book: RequestBook, { request, status, reason }: Settlement): FactOf<'request.settled'> => ({
  type: 'request.settled',
  request,
  worker: book[request]?.worker ?? '',
  status,
  ...because(reason),
})

const handOutId = ({ request, attempt }: BookedRequest): string => `hand_out:${request}:${attempt}`

const handOutInput = ({
  request,
  worker,
  task,
  attempt,
  deadline,
  depends_on,
  returns,
}: BookedRequest): HandOutInput => ({
  request,
  worker,
  task,
  attempt,
  deadline,
  depends_on,
  returns,
})

const openedFact = (booked: BookedRequest, mail_id: string): FactOf<'request.opened'> => {
  const { request, worker, task, attempt, deadline, returns, instead_of } = booked
  const contract = returns === null ? {} : { returns }
  const before = instead_of ? { instead_of } : {}
  return { type: 'request.opened', request, worker, task, mail_id, attempt, deadline, ...contract, ...before }
}

/** Why a round failed: every request of it that did. */
const reasonOf = (why: FactOf<'gather.settled'>['why'], context: CoordinatorContext): { reason?: string } =>
  why === 'failed' ? { reason: gatherFailureText(roundOf(context)) } : {}

/** The words of the coordinator machine. `coordinator.ts` says when each is used. */
export const coordinatorSetup = setup({
  types: {
    context: {} as CoordinatorContext,
    events: {} as AnyCoordinatorEvent,
    input: {} as CoordinatorInput,
    emitted: {} as Emitted,
  },
  actors: { handOut: port<HandOutOutput, HandOutInput>('handOut'), recall: port<void, RecallInput>('recall') },
  guards: {
    isFirst: ({ context }) => context.earlier === null,
    wasGathering: ({ context }) => context.earlier?.state === 'gathering',
    wasSynthesising: ({ context }) => context.earlier?.state === 'synthesising',
    hadAnswered: ({ context }) => context.earlier?.state === 'answered',
    wasWaiting: ({ context }) => context.earlier?.state === 'waiting',
    isNewRequest: ({ context, event }) =>
      (event.type === 'request.opened' || event.type === 'request.held') && !(event.request in context.book),
    isThisRound: ({ context, event }) => event.type === 'round.expired' && event.round === context.round,
    gathersOn: ({ context }) => roundGoesOn(context),
    isGathered: ({ context }) => verdictOf(context).settled,
    isOfRecall: ({ event }) => 'actorId' in event && event.actorId.startsWith('recall:'),
    isUntold: ({ context }) => context.news === 'untold',
    owesNothing: ({ context }) => openRequests(context.book).length === 0,
  },
  actions: {
    move: emit(({ context }, { state }: { state: CoordinatorState }) => ({
      type: 'coordinator.moved' as const,
      state,
      tools: [...coordinatorTools(placeIn(state, context), context.card)],
    })),
    /** A task that was sent is an attempt: that is stated before anything follows from it. */
    restate: enqueueActions(({ context: { book }, event, enqueue }) => {
      if (event.type !== 'run.resumed') return
      for (const request of event.unstated) {
        const booked = book[request]
        if (booked?.mail_id) enqueue.emit(openedFact(booked, booked.mail_id))
      }
    }),
    /** Deadlines stand as they were: one that passed meanwhile goes off at once. */
    rearm: enqueueActions(({ context: { book, round, deadline, earlier }, enqueue }) => {
      if (!earlier) return
      const delay = (at: Millis): { delay: number } => ({ delay: delayUntil(at, earlier.at) })
      if (openRequests(book).length > 0) enqueue.raise({ type: 'round.expired', round, at: deadline }, delay(deadline))
      for (const { request, deadline: own } of openRequests(book)) {
        if (own !== null && own < deadline) enqueue.raise({ type: 'request.expired', request, at: own }, delay(own))
      }
    }),
    openRound: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'request.opened' && event.type !== 'request.held') return
      const round = context.round + 1
      const deadline = Math.min(event.at + context.policy.timeout_ms, context.closes)
      enqueue.assign({ round, deadline, news: context.news === 'untold' ? 'untold' : 'none' })
      enqueue.emit({ type: 'gather.opened', deadline })
      enqueue.raise({ type: 'round.expired', round, at: deadline }, { delay: delayUntil(deadline, event.at) })
    }),
    bookRequest: enqueueActions(({ context, event, enqueue }) => {
      if (event.type === 'request.held') {
        enqueue.assign({ book: holdRequest(context.book, event, context.round) })
        return
      }
      if (event.type !== 'request.opened') return
      const { request, deadline, at } = event
      enqueue.assign({ book: bookRequest(context.book, event, context.round) })
      if (deadline === null || deadline >= context.deadline) return
      enqueue.raise({ type: 'request.expired', request, at: deadline }, { delay: delayUntil(deadline, at) })
    }),
    /** Does what follows from an event for all requests: ends, repeats, begins them. */
    settle: enqueueActions(({ context, event, enqueue }) => {
      const { at, book, settled, handedOut, recalled } = turnOf(context, event)
      enqueue.assign({ at, book })
      for (const settlement of settled) enqueue.emit(settledFact(context.book, settlement))
      for (const booked of handedOut) {
        const { request, attempt, deadline } = booked
        enqueue.spawnChild('handOut', { id: handOutId(booked), input: handOutInput(booked) })
        if (attempt > 1 || deadline === null || deadline >= context.deadline) continue
        enqueue.raise({ type: 'request.expired', request, at: deadline }, { delay: delayUntil(deadline, at) })
      }
      for (const { request, reason = '' } of recalled) {
        const { worker = '', attempt = 1 } = context.book[request] ?? {}
        enqueue.spawnChild('recall', { id: `recall:${request}:${attempt}`, input: { request, worker, reason } })
      }
    }),
    /** Cancels what is still out in a round that has enough. */
    dismiss: enqueueActions(({ context, enqueue }) => {
      const rest = roundOf(context).filter(({ status }) => status === 'open')
      const endings = rest.map(({ request }): Settlement => ({ request, status: 'cancelled', reason: enough }))
      enqueue.assign({ book: settleRequests(context.book, endings) })
      for (const ending of endings) enqueue.emit(settledFact(context.book, ending))
      for (const { request, worker, attempt, held } of rest) {
        if (held) continue
        enqueue.spawnChild('recall', { id: `recall:${request}:${attempt}`, input: { request, worker, reason: enough } })
      }
    }),
    rememberLost: assign({
      lost: ({ context, event }) => (event.type === 'member.lost' ? [...context.lost, event.member] : context.lost),
    }),
    rememberRefused: assign({
      refused: ({ context, event }) =>
        event.type === 'member.refused' ? [...context.refused, event.member] : context.refused,
    }),
    noteDone: enqueueActions(({ context, event, enqueue }) => {
      if (!('output' in event)) return
      enqueue.stopChild(event.actorId)
      const booked = context.book[requestOfChild(event.actorId)]
      if (event.output === undefined || booked?.status !== 'open') return
      const { mail_id } = event.output
      if (event.actorId !== handOutId(booked)) {
        // Another worker was asked meanwhile: a failure of this attempt does not count against that one.
        enqueue.assign({ book: amendRequest(context.book, booked.request, { past: [...booked.past, mail_id] }) })
        return
      }
      enqueue.assign({ book: amendRequest(context.book, booked.request, { mail_id }) })
      enqueue.emit(openedFact(booked, mail_id))
    }),
    letGo: enqueueActions(({ event, enqueue }) => {
      if ('error' in event) enqueue.stopChild(event.actorId)
    }),
    warnOfRecall: emit(({ event }) => ({
      type: 'warning.raised' as const,
      code: 'recall_failed',
      message:
        'error' in event ? `${requestOfChild(event.actorId)} could not be called off: ${errorText(event.error)}` : '',
    })),
    settleGather: enqueueActions(({ context, enqueue }) => {
      const verdict = verdictOf(context)
      if (!verdict.settled) return
      enqueue.assign({ book: countEndings(context.book), news: 'untold' })
      enqueue.emit({ type: 'gather.settled', why: verdict.why, ...reasonOf(verdict.why, context) })
    }),
    settleLate: enqueueActions(({ context, enqueue }) => {
      const verdict = verdictOf(context)
      const isClosing = context.deadline >= context.closes
      const why = verdict.settled && verdict.why === 'failed' && !isClosing ? 'failed' : 'timeout'
      if (isClosing) enqueue.emit({ type: 'budget.exhausted', scope: 'team', unit: 'minutes', last: false })
      enqueue.assign({ book: countEndings(context.book), news: 'untold' })
      enqueue.emit({ type: 'gather.settled', why, ...reasonOf(why, context) })
    }),
    tellNews: assign({ news: ({ context }) => (context.news === 'untold' ? 'told' : context.news) }),
    readNews: assign({ news: ({ context }) => (context.news === 'told' ? 'none' : context.news) }),
  },
})
