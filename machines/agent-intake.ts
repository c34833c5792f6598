import { agentSetup } from './agent-setup.ts'
import { again } from './agent-steps.ts'

/*
 * Thinking, before the question: the inbox is read, a lead that only delegated waits, the context is fitted.
 * 1. No bell is lost: one that rings while the inbox is being read makes it be read again before waiting,
 *    and an urgent one before anything else.
 * 2. A person's word ends a wait; otherwise only the intake port does, by no longer saying `hold`.
 */

export const takingIn = agentSetup.createStateConfig({
  id: 'taking_in',
  entry: 'look',
  invoke: {
    src: 'intake',
    input: ({ context: { state } }) => ({ turn: state.turn, parkable: state.parkable }),
    onDone: [
      { guard: { type: 'mustLookAgain', params: ({ event }) => event.output }, target: 'taking_in', reenter: true },
      { guard: { type: 'holds', params: ({ event }) => event.output }, target: 'parked' },
      { guard: { type: 'mustFit', params: ({ event }) => event.output }, target: 'fitting' },
      { guard: { type: 'isAnswerable', params: ({ event }) => event.output }, target: 'asking' },
      { guard: 'hasFollowUps', target: 'continuing', actions: 'resume' },
      { target: '#done' },
    ],
    onError: {
      target: 'failing',
      actions: { type: 'crash', params: ({ event }) => ({ at: 'intake', error: event.error }) },
    },
  },
})

export const parked = agentSetup.createStateConfig({
  entry: 'park',
  initial: 'waiting',
  on: {
    steer: {
      target: 'continuing',
      actions: [
        { type: 'steer', params: ({ event }) => event },
        { type: 'plan', params: again('steered') },
      ],
    },
  },
  states: {
    waiting: { on: { wake: 'looking', interrupt: 'looking' } },
    looking: {
      entry: 'look',
      invoke: {
        src: 'intake',
        input: ({ context: { state } }) => ({ turn: state.turn, parkable: state.parkable }),
        onDone: [
          { guard: { type: 'mustLookAgain', params: ({ event }) => event.output }, target: 'looking', reenter: true },
          { guard: { type: 'holds', params: ({ event }) => event.output }, target: 'waiting' },
          { target: '#continuing', actions: { type: 'plan', params: again('mail') } },
        ],
        onError: {
          target: '#failing',
          actions: { type: 'crash', params: ({ event }) => ({ at: 'intake', error: event.error }) },
        },
      },
    },
  },
})

export const fitting = agentSetup.createStateConfig({
  id: 'fitting',
  invoke: {
    src: 'compact',
    input: { trigger: 'auto' },
    onDone: [{ guard: 'isUrgent', target: 'taking_in' }, { target: 'asking' }],
    onError: {
      target: 'asking',
      actions: { type: 'warn', params: ({ event }) => ({ code: 'compaction_failed', error: event.error }) },
    },
  },
})
