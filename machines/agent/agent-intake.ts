import { agentSetup } from './agent-setup.ts'
import { again } from './agent-steps.ts'

/*
 * Thinking, before the question: the inbox is read, a lead that only delegated waits, the context is fitted.
 * 1. No bell is lost: one that rings while the inbox is being read makes it be read again before waiting,
 *    and an urgent one before anything else.
 * 2. A person's word ends a wait; otherwise only the intake port does, by no longer saying `hold`.
 */

export const takingIn = agentSetup.createStateConfig({
  description: 'It reads its inbox and sees whether there is something to answer.',
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
  description: 'It only delegated: it asks nothing before results are in.',
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
    waiting: { description: 'Nothing has rung.', on: { wake: 'looking', interrupt: 'looking' } },
    looking: {
      description: 'Something rang: it looks whether the wait is over.',
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
  description: 'The conversation is made to fit, where it has grown too long.',
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
