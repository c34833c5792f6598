import type { DoneActorEvent, ErrorActorEvent } from 'xstate'
import type { CallOutcome } from '../../src/protocol/tools/tool.ts'
import { lostOutcome, unreadText } from './agent-calls.ts'
import { agentSetup } from './agent-setup.ts'
import type { AgentContext } from './agent-state.ts'
import { planOf, type Refuted } from './agent-checks.ts'
import { interruptedText } from './agent-steps.ts'

/*
 * Acting: batch after batch of calls, one child per call, one tool message at the end.
 * 1. The batches of a message run one after another; between them the inbox is read. A large one begins in waves.
 * 2. A tool that broke off (an exception, its deadline) cancels the calls beside it in its own batch; an error
 *    it answered with ("no such file") does not: several guesses side by side are a normal way to look around.
 * 3. Abort is passed to the running calls and their ends are awaited; calls that never ran are answered here.
 *    So is a person's "stop" to one call: the others of that message are given up with it.
 * 4. After a turn that changed something the work is checked, where it is to be: its results stand by then.
 */

/** The next turn begins. The inbox is read before it where its bell rang, or where nothing is to be asked yet. */
const onwards = [
  { guard: 'mustLook', target: '#taking_in', actions: 'goOn' },
  { guard: 'compacts', target: '#fitting', actions: 'goOn' },
  { target: '#asking', actions: 'goOn' },
] as const

export const acting = agentSetup.createStateConfig({
  id: 'acting',
  description: 'The calls of the last answer are made.',
  initial: 'running',
  states: {
    running: {
      description: 'The calls of one batch run side by side.',
      entry: { type: 'begin', params: { all: false } },
      on: {
        abort: [
          {
            guard: 'isBreathing',
            target: 'gathered',
            actions: [
              { type: 'giveUp', params: ({ event }) => ({ reason: event.reason ?? interruptedText }) },
              'holdBreath',
            ],
          },
          {
            actions: [
              { type: 'giveUp', params: ({ event }) => ({ reason: event.reason ?? interruptedText }) },
              'holdBreath',
              {
                type: 'tell',
                params: ({ event }) => ({ type: 'abort', at: event.at, reason: event.reason ?? interruptedText }),
              },
            ],
          },
        ],
        interrupt: {
          actions: [
            { type: 'ring', params: { priority: 'interrupt' } },
            { type: 'begin', params: { all: true } },
            { type: 'tell', params: ({ event }) => ({ type: 'interrupt', at: event.at }) },
          ],
        },
        'xstate.done.actor.breath': { actions: { type: 'begin', params: { all: false } } },
        'xstate.error.actor.breath': { actions: { type: 'begin', params: { all: false } } },
        'xstate.done.actor.*': [
          {
            guard: { type: 'endsCalls', params: ({ event }) => event.output },
            target: 'gathered',
            actions: { type: 'collect', params: ended },
          },
          {
            guard: { type: 'endsBatch', params: ({ event }) => event.output },
            target: 'between',
            actions: { type: 'collect', params: ended },
          },
          { actions: { type: 'collect', params: ended } },
        ],
        'xstate.error.actor.*': [
          {
            guard: { type: 'endsCalls', params: { stop: false, broke: true } },
            target: 'gathered',
            actions: { type: 'collect', params: crashed },
          },
          {
            guard: { type: 'endsBatch', params: { stop: false, broke: true } },
            target: 'between',
            actions: { type: 'collect', params: crashed },
          },
          { actions: { type: 'collect', params: crashed } },
        ],
      },
    },
    between: {
      description: 'It reads its inbox before the next batch.',
      entry: 'look',
      on: {
        abort: {
          target: 'gathered',
          actions: { type: 'giveUp', params: ({ event }) => ({ reason: event.reason ?? interruptedText }) },
        },
      },
      invoke: {
        src: 'intake',
        input: ({ context }) => ({ turn: context.state.turn, parkable: false }),
        onDone: { target: 'running', actions: { type: 'advance', params: ({ event }) => event.output } },
        onError: {
          target: 'gathered',
          actions: [
            { type: 'giveUp', params: { reason: unreadText } },
            { type: 'crash', params: ({ event }) => ({ at: 'intake', error: event.error }) },
          ],
        },
      },
    },
    gathered: {
      description: 'Every call has its result.',
      id: 'gathered',
      entry: 'gather',
      always: [
        { guard: 'hasCrashed', target: '#failing' },
        { guard: 'isWoundDown', target: '#done', actions: { type: 'finish', params: { reason: 'budget_exhausted' } } },
        { guard: 'isStopped', target: '#done', actions: { type: 'finish', params: { reason: 'aborted_tools' } } },
        { guard: 'isStuck', target: '#done', actions: { type: 'finish', params: { reason: 'loop_detected' } } },
        { guard: 'isLastTurn', target: '#done', actions: { type: 'finish', params: { reason: 'max_turns' } } },
        { guard: 'mustVerify', target: 'checking' },
        ...onwards,
      ],
    },
    checking: {
      description: 'Something was changed: the work is checked.',
      on: {
        abort: {
          target: '#done',
          actions: [
            { type: 'dropCheck', params: { after: 'change' } },
            { type: 'finish', params: { reason: 'aborted_tools' } },
          ],
        },
      },
      invoke: {
        src: 'verify',
        input: ({ context: { card, state } }) => ({ plan: planOf(card), turn: state.turn, after: 'change' }),
        onDone: [
          {
            guard: { type: 'saysStop', params: ({ event }) => event.output },
            target: '#done',
            actions: { type: 'finish', params: { reason: 'aborted_tools' } },
          },
          {
            guard: { type: 'isRefuted', params: ({ event }) => event.output },
            target: 'checked',
            actions: { type: 'refuteStep', params: ({ event }) => event.output as Refuted },
          },
          {
            guard: { type: 'isVerified', params: ({ event }) => event.output },
            target: 'checked',
            actions: 'confirm',
          },
          { target: 'checked' },
        ],
        onError: {
          target: 'checked',
          actions: { type: 'warn', params: ({ event }) => ({ code: 'verify_failed', error: event.error }) },
        },
      },
    },
    checked: {
      description: 'The check has spoken; the results stand.',
      always: onwards,
    },
  },
})

function ended({ event: { actorId, output } }: { event: DoneActorEvent<CallOutcome> }) {
  return { actorId, outcome: output, lost: false }
}

function crashed({ context, event: { actorId, error } }: { context: AgentContext; event: ErrorActorEvent }) {
  return { actorId, outcome: lostOutcome(context.state, actorId, error), lost: true }
}
