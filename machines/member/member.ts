import type { SnapshotFrom } from 'xstate'
import { memberStates, type MemberState } from '../../src/protocol/team/run.ts'
import { agentInput, memberSetup, noWork } from './member-setup.ts'

export type { MemberEvent, MemberInput } from './member-setup.ts'

/*
 * Owns the life of one member, the lead included: when it looks at its inbox, when its agent runs, when it answers
 * whoever is owed, how it leaves.
 * Never reads mail or answers by itself: the agent takes mail in, the `reply` port sends.
 * 1. A bell is a hint: the inbox is looked at before every rest, and again when a bell rang meanwhile.
 * 2. Every piece of work ends in `replying`, aborted and failed ones included.
 * 3. The inbox is listened to as long as the member lives, so that an interrupt reaches a busy agent.
 * 4. What a person says is heard by an agent or refused with a warning.
 * 5. A shutdown ends the agent by its own abort, never by dropping it: each tool call keeps its one result.
 * 6. An agent or port that fails ends the member; its supervisor hears of it.
 */
export const memberMachine = memberSetup.createMachine({
  id: 'member',
  context: ({ input }) => ({
    card: input,
    prompt: null,
    prompts: [],
    escalated: undefined,
    rang: false,
    waits: 'nothing_to_do',
    waitingFor: [],
    farewell: null,
    repliesLeaving: false,
    outcome: noWork,
  }),
  initial: 'starting',
  on: {
    'mail.rang': { actions: 'noteRing' },
    wake: { actions: 'noteRing' },
    prompt: { actions: { type: 'keepPrompt', params: ({ event }) => event } },
    steer: { actions: { type: 'keepPrompt', params: ({ event }) => event } },
    abort: { description: 'Nothing is at work.' },
    shutdown: { actions: 'noteFarewell' },
  },
  states: {
    starting: {
      description: 'It claims its inbox and its journal, and looks what there is to do.',
      tags: 'starting',
      invoke: {
        id: 'open',
        src: 'open',
        onDone: [
          { guard: 'isLeaving', target: 'draining', actions: 'stateStart' },
          {
            guard: { type: 'hasWork', params: ({ event }) => event.output },
            target: 'living.busy',
            actions: [{ type: 'noteOpening', params: ({ event }) => event.output }, 'stateStart', 'takePrompt'],
          },
          { target: 'living', actions: 'stateStart' },
        ],
      },
    },
    living: {
      description: 'It hears its bell.',
      invoke: { id: 'inbox', src: 'inbox' },
      initial: 'checking',
      states: {
        checking: {
          description: 'It looks whether there is something to do.',
          tags: 'busy',
          entry: 'forgetRing',
          invoke: {
            id: 'unread',
            src: 'unread',
            onDone: [
              {
                guard: { type: 'hasWork', params: ({ event }) => event.output },
                target: 'busy',
                actions: 'takePrompt',
              },
              { guard: 'hasRung', target: 'checking', reenter: true },
              { target: 'idle', actions: { type: 'noteWait', params: ({ event }) => event.output } },
            ],
          },
          on: { shutdown: { target: '#member.draining', actions: 'noteFarewell' } },
        },
        idle: {
          description: 'It has nothing to do and waits for its bell or for a person.',
          tags: 'idle',
          entry: 'stateIdle',
          on: {
            'mail.rang': 'checking',
            wake: 'checking',
            prompt: {
              target: 'busy',
              actions: [{ type: 'keepPrompt', params: ({ event }) => event }, 'takePrompt'],
            },
            steer: {
              target: 'busy',
              actions: [{ type: 'keepPrompt', params: ({ event }) => event }, 'takePrompt'],
            },
            shutdown: [
              { guard: 'leavesWork', target: 'replying', actions: 'noteFarewell' },
              { target: '#member.draining', actions: 'noteFarewell' },
            ],
          },
        },
        busy: {
          description: 'Its agent works.',
          tags: 'busy',
          entry: 'stateWake',
          invoke: {
            id: 'agent',
            src: 'agent',
            input: ({ context }) => agentInput(context),
            onDone: { target: 'replying', actions: { type: 'keepOutcome', params: ({ event }) => event.output } },
          },
          on: {
            'mail.rang': [
              {
                guard: 'isUrgent',
                actions: { type: 'tell', params: ({ event }) => ({ type: 'interrupt', at: event.at }) },
              },
              { actions: { type: 'tell', params: ({ event }) => ({ type: 'wake', at: event.at }) } },
            ],
            wake: { actions: { type: 'tell', params: ({ event }) => event } },
            prompt: {
              actions: {
                type: 'tell',
                params: ({ event: { message, at } }) => ({ type: 'follow_up', message, at }),
              },
            },
            steer: { actions: { type: 'tell', params: ({ event }) => event } },
            abort: { actions: { type: 'tell', params: ({ event }) => event } },
            shutdown: {
              actions: [
                'noteFarewell',
                { type: 'tell', params: ({ event: { at, reason } }) => ({ type: 'abort', at, reason }) },
              ],
            },
          },
        },
        replying: {
          description: 'Its last output goes to whoever it owes an answer.',
          tags: 'busy',
          entry: 'noteReplies',
          invoke: {
            id: 'reply',
            src: 'reply',
            input: ({ context: { outcome, farewell } }) => ({ outcome, leaving: farewell !== null }),
            onDone: [
              {
                guard: 'leavesUnanswered',
                target: 'replying',
                reenter: true,
                actions: { type: 'stateReplies', params: ({ event }) => event.output },
              },
              {
                guard: 'isLeaving',
                target: '#member.draining',
                actions: { type: 'stateReplies', params: ({ event }) => event.output },
              },
              { target: 'checking', actions: { type: 'stateReplies', params: ({ event }) => event.output } },
            ],
          },
        },
      },
    },
    draining: {
      description: 'It gives up its inbox; mail that is left waits for a successor.',
      tags: 'draining',
      entry: 'refuseKept',
      invoke: { id: 'close', src: 'close', onDone: { target: 'gone', actions: 'stateDrained' } },
      on: {
        'mail.rang': { description: 'It stays in the inbox.' },
        wake: {},
        prompt: { actions: 'refuse' },
        steer: { actions: 'refuse' },
        shutdown: { description: 'It is leaving already.' },
      },
    },
    gone: { description: 'Its life is over.', type: 'final', tags: 'gone', entry: 'stateGone' },
  },
})

/** The state as `members/<name>.json` names it. */
export function memberState(snapshot: SnapshotFrom<typeof memberMachine>): MemberState {
  return memberStates.find((state) => snapshot.hasTag(state)) ?? 'starting'
}
