import { assign, emit, setup } from 'xstate'
import type { FactOf } from '../../src/protocol/facts/fact.ts'

/*
 * One model's circuit breaker, a root: all members of a run ask the same one. It stands above the retries.
 * Owns: how many attempts in a row the model failed, and until when it is left alone.
 * Never: waits, or reads a clock: every event says when it happened.
 * 1. Closed, attempts pass; so many failures in a row open it, and so does one who gives the model up for another.
 * 2. Open, nobody passes; from `until` on the next who asks is let through as a probe, alone.
 * 3. The probe's success closes it, its failure opens it again: for twice as long where another
 *    model answers meanwhile. A probe that was given up
 *    (an abort) leaves its place to the next.
 */

export interface BreakerContext {
  readonly provider: string
  readonly failures: number
  readonly until: number
  /** How long it stays open when it opens next. */
  readonly cooling: number
}

export type BreakerEvent =
  | { readonly type: 'asked'; readonly at: number }
  | { readonly type: 'failed'; readonly at: number }
  | { readonly type: 'succeeded'; readonly at: number }
  | { readonly type: 'given_up'; readonly at: number }
  /** Another model answers instead. */
  | { readonly type: 'replaced'; readonly at: number }

/** Failures in a row that open it, and how long it then stays open: no longer than one alone would wait by then. */
const intensity = 5
const coolingMs = 8_000
/** How long it stays open at first when another model answers meanwhile, and at most. */
const replacedMs = 60_000
const longestMs = 10 * 60_000

type Emitted = FactOf<'breaker.opened'> | FactOf<'breaker.closed'>

const breakerSetup = setup({
  types: {
    context: {} as BreakerContext,
    events: {} as BreakerEvent,
    input: {} as { readonly provider: string },
    emitted: {} as Emitted,
  },
  guards: {
    isTooMany: ({ context }) => context.failures + 1 >= intensity,
    isCool: ({ context, event }) => event.at >= context.until,
  },
  actions: {
    count: assign({ failures: ({ context }) => context.failures + 1 }),
    forget: assign({ failures: 0, cooling: coolingMs }),
    lengthen: assign({ cooling: ({ context }) => Math.max(context.cooling, replacedMs) }),
    trip: assign({
      // A model that is replaced failed at least once, and may have failed in ways that do not count.
      failures: ({ context, event }) =>
        event.type === 'replaced' ? Math.max(1, context.failures) : context.failures + 1,
      until: ({ context, event }) => event.at + context.cooling,
      cooling: ({ context: { cooling } }) => (cooling < replacedMs ? cooling : Math.min(cooling * 2, longestMs)),
    }),
    tellOpened: emit(({ context: { provider, failures, until } }) => ({
      type: 'breaker.opened' as const,
      provider,
      failures,
      until,
    })),
    tellClosed: emit(({ context }) => ({ type: 'breaker.closed' as const, provider: context.provider })),
  },
})

export const breakerMachine = breakerSetup.createMachine({
  id: 'breaker',
  context: ({ input }) => ({ provider: input.provider, failures: 0, until: 0, cooling: coolingMs }),
  initial: 'closed',
  states: {
    closed: {
      description: 'The model is asked.',
      on: {
        asked: {},
        failed: [{ guard: 'isTooMany', target: 'open', actions: ['trip', 'tellOpened'] }, { actions: 'count' }],
        succeeded: { actions: 'forget' },
        given_up: {},
        replaced: { target: 'open', actions: ['lengthen', 'trip', 'tellOpened'] },
      },
    },
    open: {
      description: 'It is left alone for a while.',
      on: {
        asked: [{ guard: 'isCool', target: 'probing' }, {}],
        // Attempts that began before it opened may still end.
        failed: {},
        succeeded: { target: 'closed', actions: ['forget', 'tellClosed'] },
        given_up: {},
        replaced: {},
      },
    },
    probing: {
      description: 'One attempt finds out whether it is well again.',
      on: {
        asked: {},
        failed: { target: 'open', actions: ['trip', 'tellOpened'] },
        succeeded: { target: 'closed', actions: ['forget', 'tellClosed'] },
        given_up: 'open',
        replaced: { target: 'open', actions: ['lengthen', 'trip', 'tellOpened'] },
      },
    },
  },
})
