import { acting } from './agent-acting.ts'
import { asking, failing, judging, shrinking, telling } from './agent-asking.ts'
import { closing, concluded, concluding, continuing, verifying, weighing } from './agent-concluding.ts'
import { fitting, parked, takingIn } from './agent-intake.ts'
import { agentSetup } from './agent-setup.ts'
import { freshState } from './agent-state.ts'

/*
 * The agent loop: thinking (inbox → context → model → may it stop?) and acting (tool calls), then done.
 * Owns: one LoopState, replaced as a whole at every step; the facts of the conversation, in their order.
 * Never: holds messages of the past (they are a fold of its facts), reads a clock, or sees a delta.
 * 1. The assistant message is stated before a call of it starts; its results follow it directly, one per call,
 *    on every path, and nothing of anybody else's is stated between them by this machine.
 * 2. Every continue states its reason in one step, `proceeded`; every end passes `done`, whose `agent.ended` is
 *    the last fact.
 * 3. No command is dropped: what a state does not want is kept (a word, a bell) or answered by the root.
 * 4. A port that rejects never fails this actor: it ends as `failed` with the calls in hand answered.
 */
export const agentMachine = agentSetup.createMachine({
  id: 'agent',
  context: ({ input }) => ({ card: input, state: freshState(input) }),
  entry: 'open',
  initial: 'thinking',
  on: {
    wake: { actions: { type: 'ring', params: { priority: 'normal' } } },
    interrupt: { actions: { type: 'ring', params: { priority: 'interrupt' } } },
    steer: { actions: { type: 'steer', params: ({ event }) => event } },
    follow_up: { actions: { type: 'follow', params: ({ event }) => event } },
  },
  states: {
    thinking: {
      description: 'Inbox, context, model, and whether it may stop.',
      initial: 'taking_in',
      on: {
        abort: [
          {
            guard: 'isAfterTools',
            target: 'done',
            actions: { type: 'finish', params: { reason: 'aborted_tools' } },
          },
          { target: 'done', actions: { type: 'finish', params: { reason: 'aborted_streaming' } } },
        ],
      },
      states: {
        taking_in: takingIn,
        parked,
        fitting,
        asking,
        judging,
        shrinking,
        failing,
        telling,
        concluding,
        concluded,
        verifying,
        weighing,
        closing,
        continuing,
      },
    },
    acting,
    done: { id: 'done', description: 'It has ended, for a stated reason.', type: 'final', entry: 'close' },
  },
  output: ({ context: { state } }) => ({
    ...state.end,
    turn: state.turn,
    compactedReactively: state.compactedReactively,
  }),
})
