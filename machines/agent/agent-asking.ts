import { agentSetup } from './agent-setup.ts'
import { unopposed } from './agent-concluding.ts'
import { unpaidText } from '../../src/rules/team/wind-down-text.ts'
import { again, failedEnd, endFailure, goingOn, type Redirected, type Settled } from './agent-steps.ts'

/*
 * Thinking, the question itself and what its answer leads to.
 * 1. A request is closed by `model.settled`, or, when it was given up, by `turn.continued` or `agent.ended`.
 * 2. Tool calls decide, never `stop`: an answer with calls is acted upon whatever reason the model gave.
 * 3. A failed answer meets no stop hook; `stopFailure` is told, and has no say.
 */

export const asking = agentSetup.createStateConfig({
  description: 'The model answers.',
  id: 'asking',
  entry: 'request',
  on: {
    abort: { target: '#done', actions: { type: 'finish', params: { reason: 'aborted_streaming' } } },
    interrupt: { target: 'continuing', actions: ['noteAsked', { type: 'plan', params: again('mail') }] },
  },
  invoke: {
    src: 'ask',
    input: ({ context: { card, state } }) => ({
      turn: state.turn,
      model: state.model,
      ...(state.risen !== 'no' && state.model === card.escalate?.model ? { instead: card.model } : {}),
      ...(state.windingDown === 'no' ? {} : { last: true }),
    }),
    onDone: [
      {
        guard: { type: 'wantsStronger', params: ({ event }) => event.output },
        target: 'continuing',
        actions: { type: 'handOver', params: ({ event }) => event.output as Settled },
      },
      {
        guard: { type: 'asksTooLate', params: ({ event }) => event.output },
        target: '#gathered',
        actions: [
          { type: 'dispatch', params: ({ event }) => event.output as Settled },
          { type: 'giveUp', params: { reason: unpaidText } },
        ],
      },
      {
        guard: { type: 'wantsTools', params: ({ event }) => event.output },
        target: '#acting',
        actions: { type: 'dispatch', params: ({ event }) => event.output as Settled },
      },
      {
        guard: { type: 'isRedirected', params: ({ event }) => event.output },
        target: 'continuing',
        actions: { type: 'redirect', params: ({ event }) => event.output as Redirected },
      },
      { target: 'judging', actions: { type: 'settle', params: ({ event }) => event.output as Settled } },
    ],
    onError: {
      target: 'failing',
      actions: { type: 'crash', params: ({ event }) => ({ at: 'ask', error: event.error }) },
    },
  },
})

export const judging = agentSetup.createStateConfig({
  description: 'What the answer is decides what follows: it was cut short, failed, or stands.',
  always: [
    { guard: 'isAborted', target: '#done', actions: { type: 'finish', params: { reason: 'aborted_streaming' } } },
    { guard: 'canShrink', target: 'shrinking' },
    {
      guard: 'hasFailed',
      target: 'failing',
      actions: { type: 'finish', params: ({ context }) => failedEnd(context.state.message) },
    },
    {
      guard: 'isCutShort',
      target: 'continuing',
      actions: { type: 'plan', params: ({ context }) => goingOn(context.state.message) },
    },
    { guard: 'isHooked', target: 'concluding' },
    ...unopposed,
  ],
})

export const shrinking = agentSetup.createStateConfig({
  description: 'The request was too long: the conversation is made shorter, once.',
  entry: 'shrink',
  invoke: {
    src: 'compact',
    input: { trigger: 'reactive' },
    onDone: [
      {
        guard: { type: 'didCompact', params: ({ event }) => event.output },
        target: 'continuing',
        actions: { type: 'plan', params: again('reactive_compact_retry') },
      },
      {
        target: 'failing',
        actions: { type: 'finish', params: ({ context }) => failedEnd(context.state.message) },
      },
    ],
    onError: {
      target: 'failing',
      actions: [
        { type: 'warn', params: ({ event }) => ({ code: 'compaction_failed', error: event.error }) },
        { type: 'finish', params: ({ context }) => failedEnd(context.state.message) },
      ],
    },
  },
})

export const failing = agentSetup.createStateConfig({
  description: 'It ends with a failure.',
  id: 'failing',
  always: [{ guard: 'isHooked', target: 'telling' }, { target: '#done' }],
})

export const telling = agentSetup.createStateConfig({
  description: 'Hooks are told of the failure; they have no say.',
  on: { abort: '#done' },
  invoke: {
    src: 'stopFailure',
    input: ({ context }) => ({ failure: endFailure(context.state) }),
    onDone: '#done',
    onError: {
      target: '#done',
      actions: { type: 'warn', params: ({ event }) => ({ code: 'stop_failure_failed', error: event.error }) },
    },
  },
})
