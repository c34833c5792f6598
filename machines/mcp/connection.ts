import { assign, emit, setup } from 'xstate'
import type { FactOf } from '../../src/protocol/facts/fact.ts'
import type { McpListing, McpState } from '../../src/protocol/mcp/listing.ts'
import { mostAttempts, reconnectDelay, steadyMs } from '../../src/rules/mcp/reconnect.ts'
import { port } from '../actors/port.ts'

/*
 * One connection to one MCP server, a root.
 * Owns: in which of five states the connection is, and what the server said of itself while it is connected.
 * Never: opens or closes anything itself; `open` does, and whoever hears the facts.
 * 1. Only a connected server has tools: every way out of `connected` forgets all that it said.
 * 2. A connection that broke is opened anew after a pause that doubles; after so many failures in a row it is left alone
 *    until somebody calls the server. One that did not last for a while counts as a failure.
 * 3. What only a person can mend (a login, a wrong entry) is not tried again by itself.
 * 4. Disabled is silent: it hears `enable` and nothing else.
 */

export interface ConnectionContext {
  readonly server: string
  readonly listing: McpListing | null
  /** Failures in a row. */
  readonly failures: number
  readonly reason: string
}

/** How an attempt to connect ended. */
export type OpenOutcome =
  | { readonly kind: 'connected'; readonly listing: McpListing }
  | { readonly kind: 'needs-auth'; readonly reason: string }
  /** `final`: another attempt would fail the same way. */
  | { readonly kind: 'failed'; readonly reason: string; readonly final: boolean }

export interface OpenInput {
  readonly server: string
}

export type ConnectionEvent =
  /** The connection broke, or its session is over on the other side. */
  | { readonly type: 'closed'; readonly reason: string }
  /** The server said again what it offers. */
  | { readonly type: 'listed'; readonly listing: McpListing }
  /** A call was turned away for want of a login. */
  | { readonly type: 'unauthorized'; readonly reason: string }
  /** The server is called by somebody, or a person mended something. */
  | { readonly type: 'wanted' }
  | { readonly type: 'disable' }
  | { readonly type: 'enable' }

type Emitted = FactOf<'mcp.changed'>

const connectionSetup = setup({
  types: {
    context: {} as ConnectionContext,
    events: {} as ConnectionEvent,
    input: {} as { readonly server: string; readonly disabled: boolean },
    emitted: {} as Emitted,
  },
  actors: {
    open: port<OpenOutcome, OpenInput>('open'),
  },
  delays: {
    pause: ({ context }) => reconnectDelay(context.failures),
    steady: steadyMs,
  },
  guards: {
    isDisabled: ({ context }) => context.reason === 'disabled',
    isLast: ({ context }) => context.failures + 1 >= mostAttempts,
  },
  actions: {
    forget: assign({ listing: null }),
    keep: assign({ listing: (_, { listing }: { listing: McpListing }) => listing, reason: '' }),
    blame: assign({ reason: (_, { reason }: { reason: string }) => reason }),
    count: assign({ failures: ({ context }) => context.failures + 1 }),
    startOver: assign({ failures: 0 }),
    tell: emit(({ context: { server, listing, reason } }, { state }: { state: McpState }) => ({
      type: 'mcp.changed' as const,
      server,
      state,
      tools: listing?.tools.length ?? 0,
      ...(reason === '' || state === 'disabled' ? {} : { reason }),
    })),
  },
})

export const connectionMachine = connectionSetup.createMachine({
  id: 'mcp',
  context: ({ input }) => ({
    server: input.server,
    listing: null,
    failures: 0,
    reason: input.disabled ? 'disabled' : '',
  }),
  initial: 'chosen',
  states: {
    chosen: {
      description: 'The settings say whether the server is switched on.',
      always: [{ guard: 'isDisabled', target: 'disabled' }, { target: 'pending' }],
    },
    pending: {
      description: 'The server is being connected, or soon will be again.',
      initial: 'opening',
      on: { disable: 'disabled' },
      states: {
        opening: {
          description: 'The server is started or called, and asked what it offers.',
          invoke: {
            src: 'open',
            input: ({ context }) => ({ server: context.server }),
            onDone: [
              {
                guard: ({ event }) => event.output.kind === 'connected',
                target: '#mcp.connected',
                actions: {
                  type: 'keep',
                  params: ({ event: { output } }) => ({
                    listing: output.kind === 'connected' ? output.listing : noListing,
                  }),
                },
              },
              {
                guard: ({ event }) => event.output.kind === 'needs-auth',
                target: '#mcp.needs-auth',
                actions: { type: 'blame', params: ({ event }) => ({ reason: reasonOf(event.output) }) },
              },
              {
                guard: ({ event, context }) =>
                  (event.output.kind === 'failed' && event.output.final) || context.failures + 1 >= mostAttempts,
                target: '#mcp.failed',
                actions: ['count', { type: 'blame', params: ({ event }) => ({ reason: reasonOf(event.output) }) }],
              },
              {
                target: 'waiting',
                actions: ['count', { type: 'blame', params: ({ event }) => ({ reason: reasonOf(event.output) }) }],
              },
            ],
          },
          on: { wanted: {}, closed: {}, listed: {}, unauthorized: {}, enable: {} },
        },
        waiting: {
          description: 'A pause before the next attempt, longer after each failure.',
          entry: { type: 'tell', params: { state: 'pending' } },
          after: { pause: 'opening' },
          on: { wanted: 'opening', closed: {}, listed: {}, unauthorized: {}, enable: {} },
        },
      },
    },
    connected: {
      description: 'Its tools can be used.',
      entry: { type: 'tell', params: { state: 'connected' } },
      exit: 'forget',
      after: { steady: { actions: 'startOver' } },
      on: {
        listed: {
          actions: [
            { type: 'keep', params: ({ event }) => ({ listing: event.listing }) },
            { type: 'tell', params: { state: 'connected' } },
          ],
        },
        closed: [
          {
            guard: 'isLast',
            target: 'failed',
            actions: ['count', { type: 'blame', params: ({ event }) => ({ reason: event.reason }) }],
          },
          {
            target: 'pending.waiting',
            actions: ['count', { type: 'blame', params: ({ event }) => ({ reason: event.reason }) }],
          },
        ],
        unauthorized: {
          target: 'needs-auth',
          actions: { type: 'blame', params: ({ event }) => ({ reason: event.reason }) },
        },
        disable: 'disabled',
        wanted: {},
        enable: {},
      },
    },
    'needs-auth': {
      description: 'A person has to log in first.',
      entry: { type: 'tell', params: { state: 'needs-auth' } },
      on: {
        wanted: { target: 'pending', actions: 'startOver' },
        disable: 'disabled',
        closed: {},
        listed: {},
        unauthorized: {},
        enable: {},
      },
    },
    failed: {
      description: 'The server could not be connected; the next call tries once more.',
      entry: { type: 'tell', params: { state: 'failed' } },
      on: {
        wanted: { target: 'pending', actions: 'startOver' },
        disable: 'disabled',
        closed: {},
        listed: {},
        unauthorized: {},
        enable: {},
      },
    },
    disabled: {
      description: 'The server is switched off.',
      entry: { type: 'tell', params: { state: 'disabled' } },
      on: {
        enable: { target: 'pending', actions: 'startOver' },
        wanted: {},
        disable: {},
        closed: {},
        listed: {},
        unauthorized: {},
      },
    },
  },
})

const noListing: McpListing = { instructions: '', tools: [], prompts: [], resources: false, warnings: [] }

function reasonOf(outcome: OpenOutcome): string {
  return outcome.kind === 'connected' ? '' : outcome.reason
}

/** The state as people are told of it. */
export function connectionState({ value }: { readonly value: unknown }): McpState {
  const name = typeof value === 'string' ? value : 'pending'
  return name === 'connected' || name === 'failed' || name === 'needs-auth' || name === 'disabled' ? name : 'pending'
}
