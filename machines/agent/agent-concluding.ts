import { agentSetup } from './agent-setup.ts'
import { planOf, unverifiedEnd, type Refuted } from './agent-checks.ts'
import { another, blockedBy } from './agent-steps.ts'

/*
 * Thinking, after an answer without calls: may the agent stop here?
 * 1. Asked in this order: stop hooks, the verifier, the token budget, people who wait, the inbox.
 * 2. A block by a stop hook repeats the turn and keeps every guard, so that it cannot reset them.
 * 3. A hook or verifier that fails is reported and has no say: the answer stands, unverified.
 * 4. What was verified is verified until something may have changed; work that ends unproved too often has failed.
 */

/** The work counts as done; what was to be written and who still waits may keep it going. */
const onwards = [
  { guard: 'isShortOfGoal', target: 'continuing', actions: 'nudge' },
  { guard: 'isDiminishing', target: '#done', actions: { type: 'finish', params: { reason: 'diminishing_returns' } } },
  { guard: 'hasQueued', target: 'continuing', actions: 'resume' },
  { target: 'closing' },
] as const

/** No hook objects, or there is none. */
export const unopposed = [
  { guard: 'isWoundDown', target: '#done', actions: { type: 'finish', params: { reason: 'budget_exhausted' } } },
  { guard: 'verifies', target: 'verifying' },
  ...onwards,
] as const

export const concluding = agentSetup.createStateConfig({
  description: 'It would stop; hooks may keep it going or forbid more.',
  invoke: {
    src: 'stopHooks',
    input: ({ context }) => ({ turn: context.state.turn }),
    onDone: [
      {
        guard: { type: 'blocks', params: ({ event }) => event.output },
        target: 'continuing',
        actions: { type: 'plan', params: ({ event }) => blockedBy(event.output) },
      },
      {
        guard: { type: 'prevents', params: ({ event }) => event.output },
        target: '#done',
        actions: { type: 'finish', params: { reason: 'stop_hook_prevented' } },
      },
      { target: 'concluded' },
    ],
    onError: {
      target: 'concluded',
      actions: { type: 'warn', params: ({ event }) => ({ code: 'stop_hooks_failed', error: event.error }) },
    },
  },
})

export const concluded = agentSetup.createStateConfig({
  description: 'No hook objects.',
  always: unopposed,
})

export const verifying = agentSetup.createStateConfig({
  description: 'The work is checked before it counts as done.',
  on: {
    abort: {
      target: '#done',
      actions: [
        { type: 'dropCheck', params: { after: 'end' } },
        { type: 'finish', params: { reason: 'aborted_streaming' } },
      ],
    },
  },
  invoke: {
    src: 'verify',
    input: ({ context: { card, state } }) => ({ plan: planOf(card), turn: state.turn, after: 'end' }),
    onDone: [
      {
        guard: { type: 'saysStop', params: ({ event }) => event.output },
        target: '#done',
        actions: { type: 'finish', params: { reason: 'aborted_streaming' } },
      },
      {
        guard: { type: 'isGivenUp', params: ({ event }) => event.output },
        target: '#done',
        actions: {
          type: 'finish',
          params: ({ context, event }) => unverifiedEnd(context.card, event.output as Refuted),
        },
      },
      {
        guard: { type: 'isRefuted', params: ({ event }) => event.output },
        target: 'continuing',
        actions: { type: 'refute', params: ({ event }) => event.output as Refuted },
      },
      { guard: { type: 'isVerified', params: ({ event }) => event.output }, target: 'weighing', actions: 'confirm' },
      { target: 'weighing' },
    ],
    onError: {
      target: 'weighing',
      actions: { type: 'warn', params: ({ event }) => ({ code: 'verify_failed', error: event.error }) },
    },
  },
})

export const weighing = agentSetup.createStateConfig({
  description: 'The check has spoken; what was to be written, and who still waits, decides whether it goes on.',
  always: onwards,
})

export const closing = agentSetup.createStateConfig({
  description: 'It looks into its inbox a last time.',
  entry: 'look',
  invoke: {
    src: 'intake',
    input: ({ context }) => ({ turn: context.state.turn, parkable: false }),
    onDone: [
      {
        guard: { type: 'hasMail', params: ({ event }) => event.output },
        target: 'continuing',
        actions: { type: 'plan', params: another('mail') },
      },
      { guard: 'hasQueued', target: 'continuing', actions: 'resume' },
      { guard: 'isRung', target: 'closing', reenter: true },
      {
        guard: 'hasProof',
        target: '#done',
        actions: { type: 'finish', params: { reason: 'verified' } },
      },
      { target: '#done' },
    ],
    onError: {
      target: 'failing',
      actions: { type: 'crash', params: ({ event }) => ({ at: 'intake', error: event.error }) },
    },
  },
})

/** Where every continue is carried out, unless the turns are used up. */
export const continuing = agentSetup.createStateConfig({
  description: 'It goes on for a stated reason, unless its turns are used up.',
  id: 'continuing',
  always: [
    { guard: 'isOutOfTurns', target: '#done', actions: { type: 'finish', params: { reason: 'max_turns' } } },
    { target: 'taking_in', actions: 'proceed' },
  ],
})
