import { agentSetup } from './agent-setup.ts'
import { freshState } from './agent-state.ts'
import { checkOf } from './agent-checks.ts'
import { endFailure } from './agent-ends.ts'
import { outputOf, askInput } from './agent-steps.ts'

/*
 * The agent loop: thinking (inbox → context → model → may it stop?) and acting (tool calls), then done.
 * Owns: one LoopState, replaced as a whole at every step; the facts of the conversation, in their order.
 * Never: holds messages of the past (they are a fold of its facts), reads a clock, or sees a delta.
 * 1. The assistant message is stated before a call of it starts; its results follow it directly, one per call,
 *    on every path, and nothing of anybody else's is stated between them by this machine.
 * 2. Every continue states its reason in one step, `proceeded`; every end passes `done`, whose fact is the last one.
 * 3. No command is dropped: what a state does not want is kept (a word, a bell) or answered by the root.
 * 4. A port that rejects never fails this actor: the run ends as `failed`. A failing hook or check has no say.
 */
export const agentMachine = agentSetup.createMachine({
  id: 'agent',
  context: ({ input }) => ({ card: input, state: freshState(input) }),
  output: ({ context }) => outputOf(context),
  entry: 'open',
  initial: 'thinking',
  on: {
    wake: { actions: 'ring' },
    interrupt: { actions: 'ring' },
    steer: { actions: 'steer' },
    follow_up: { actions: 'follow' },
  },
  states: {
    thinking: {
      description: 'Inbox, context, model, and whether it may stop.',
      initial: 'taking_in',
      on: { abort: { target: 'done', actions: 'endThinking' } },
      states: {
        taking_in: {
          description: 'It reads its inbox and sees whether there is something to answer.',
          entry: 'look',
          invoke: {
            id: 'intake',
            src: 'intake',
            input: ({ context: { state } }) => ({ turn: state.turn, parkable: state.parkable }),
            onDone: [
              { guard: 'mustLookAgain', target: 'taking_in', reenter: true },
              { guard: 'holds', target: 'parked' },
              { guard: 'isHard', target: 'asking', actions: 'beginStronger' },
              { guard: 'isAnswerable', target: 'asking' },
              { guard: 'hasFollowUps', target: 'continuing', actions: 'resume' },
              { target: '#agent.done' },
            ],
            onError: { target: 'failing', actions: 'crash' },
          },
        },
        parked: {
          description: 'It only delegated: it asks nothing before results are in.',
          entry: 'park',
          initial: 'waiting',
          on: { steer: { target: 'continuing', actions: ['steer', 'goOnSteered'] } },
          states: {
            waiting: { description: 'Nothing has rung.', on: { wake: 'looking', interrupt: 'looking' } },
            looking: {
              description: 'Something rang: it looks whether the wait is over.',
              entry: 'look',
              invoke: {
                id: 'intake',
                src: 'intake',
                input: ({ context: { state } }) => ({ turn: state.turn, parkable: state.parkable }),
                onDone: [
                  { guard: 'mustLookAgain', target: 'looking', reenter: true },
                  { guard: 'holds', target: 'waiting' },
                  { target: '#agent.thinking.continuing', actions: 'goOnWithNews' },
                ],
                onError: { target: '#agent.thinking.failing', actions: 'crash' },
              },
            },
          },
        },
        fitting: {
          description: 'The conversation has nearly filled its window, and is made shorter.',
          entry: 'fit',
          invoke: {
            id: 'compact',
            src: 'compact',
            input: { trigger: 'auto' },
            onDone: 'continuing',
            onError: { target: 'continuing', actions: 'warn' },
          },
        },
        asking: {
          description: 'The model answers.',
          entry: 'request',
          on: { interrupt: { target: 'continuing', actions: 'goOnWithNews' } },
          invoke: {
            id: 'ask',
            src: 'ask',
            input: ({ context }) => askInput(context),
            onDone: [
              { guard: 'isCrowded', target: 'fitting' },
              { guard: 'wantsStronger', target: 'continuing', actions: 'handOver' },
              { guard: 'asksTooLate', target: '#agent.acting.gathered', actions: ['dispatch', 'giveUpUnpaid'] },
              { guard: 'wantsTools', target: '#agent.acting', actions: 'dispatch' },
              { guard: 'isRedirected', target: 'continuing', actions: 'redirect' },
              { target: 'judging', actions: 'settle' },
            ],
            onError: { target: 'failing', actions: 'crash' },
          },
        },
        judging: {
          description: 'What the answer is decides what follows: it was cut short, failed, or stands.',
          always: [
            { guard: 'isAborted', target: '#agent.done', actions: 'endAnswer' },
            { guard: 'canShrink', target: 'shrinking' },
            { guard: 'hasFailed', target: 'failing', actions: 'endFailed' },
            { guard: 'isCutShort', target: 'continuing', actions: 'goOnWriting' },
            { guard: 'isCut', target: '#agent.done', actions: 'endCut' },
            { guard: 'isHooked', target: 'concluding' },
            { target: 'concluded' },
          ],
        },
        shrinking: {
          description:
            'The request was refused as too long: the conversation is made shorter, once until work goes on.',
          entry: 'shrink',
          invoke: {
            id: 'compact',
            src: 'compact',
            input: { trigger: 'reactive' },
            onDone: [
              { guard: 'didCompact', target: 'continuing', actions: 'goOnShorter' },
              { target: 'failing', actions: 'endFailed' },
            ],
            onError: { target: 'failing', actions: ['warn', 'endFailed'] },
          },
        },
        failing: {
          description: 'It ends with a failure.',
          always: [{ guard: 'isHooked', target: 'telling' }, { target: '#agent.done' }],
        },
        telling: {
          description: 'Hooks are told of the failure; they have no say.',
          on: { abort: '#agent.done' },
          invoke: {
            id: 'stopFailure',
            src: 'stopFailure',
            input: ({ context }) => ({ failure: endFailure(context.state) }),
            onDone: '#agent.done',
            onError: { target: '#agent.done', actions: 'warn' },
          },
        },
        concluding: {
          description: 'It would stop; hooks may keep it going or forbid more.',
          invoke: {
            id: 'stopHooks',
            src: 'stopHooks',
            input: ({ context }) => ({ turn: context.state.turn }),
            onDone: [
              { guard: 'blocks', target: 'continuing', actions: 'goOnBlocked' },
              { guard: 'prevents', target: '#agent.done', actions: 'endPrevented' },
              { target: 'concluded' },
            ],
            onError: { target: 'concluded', actions: 'warn' },
          },
        },
        concluded: {
          description: 'No hook objects.',
          always: [
            { guard: 'isWoundDown', target: '#agent.done', actions: 'endBudget' },
            { guard: 'verifies', target: 'verifying' },
            { target: 'weighing' },
          ],
        },
        verifying: {
          description: 'The work is checked before it counts as done.',
          on: { abort: { target: '#agent.done', actions: ['dropLastCheck', 'endAnswer'] } },
          invoke: {
            id: 'verify',
            src: 'verify',
            input: ({ context }) => checkOf(context, 'end'),
            onDone: [
              { guard: 'saysStop', target: '#agent.done', actions: 'endAnswer' },
              { guard: 'isGivenUp', target: '#agent.done', actions: 'endUnverified' },
              { guard: 'isRefuted', target: 'continuing', actions: 'refute' },
              { guard: 'isVerified', target: 'weighing', actions: 'confirm' },
              { target: 'weighing' },
            ],
            onError: { target: 'weighing', actions: 'warn' },
          },
        },
        weighing: {
          description: 'The work counts as done; its goal, and who still waits, decides whether it goes on.',
          always: [
            { guard: 'isShortOfGoal', target: 'continuing', actions: 'nudge' },
            { guard: 'isDiminishing', target: '#agent.done', actions: 'endDiminishing' },
            { guard: 'hasQueued', target: 'continuing', actions: 'resume' },
            { guard: 'isUrgent', target: 'continuing', actions: 'goOnWithNews' },
            { target: 'closing' },
          ],
        },
        closing: {
          description: 'It looks into its inbox a last time, for words of those who wait for its answer.',
          entry: 'look',
          invoke: {
            id: 'intake',
            src: 'intake',
            input: ({ context }) => ({ turn: context.state.turn, parkable: false, answered: true }),
            onDone: [
              { guard: 'hasMail', target: 'continuing', actions: 'answerMail' },
              { guard: 'hasQueued', target: 'continuing', actions: 'resume' },
              { guard: 'isUrgent', target: 'continuing', actions: 'goOnWithNews' },
              { guard: 'isRung', target: 'closing', reenter: true },
              { guard: 'owesAnswer', target: 'continuing', actions: 'remind' },
              { guard: 'isUnanswered', target: '#agent.done', actions: 'endUnanswered' },
              { guard: 'hasProof', target: '#agent.done', actions: 'endVerified' },
              { target: '#agent.done' },
            ],
            onError: { target: 'failing', actions: 'crash' },
          },
        },
        continuing: {
          description: 'It goes on for a stated reason, unless its turns are used up.',
          always: [
            { guard: 'isOutOfTurns', target: '#agent.done', actions: 'endTurns' },
            { target: 'taking_in', actions: 'proceed' },
          ],
        },
      },
    },
    acting: {
      description: 'The calls of the last answer are made.',
      initial: 'running',
      on: { interrupt: { actions: ['ring', 'skip', 'tell'] }, steer: { actions: ['steer', 'skip', 'tell'] } },
      states: {
        running: {
          description: 'The calls of one batch run side by side.',
          entry: 'begin',
          on: {
            abort: { actions: ['giveUp', 'tell'] },
            'xstate.done.actor.*': { actions: 'collect' },
            'xstate.error.actor.*': { actions: 'collect' },
          },
          always: [
            { guard: 'areCallsOver', target: 'gathered' },
            { guard: 'isBatchOver', target: 'between' },
          ],
        },
        between: {
          description: 'It reads its inbox before the next batch.',
          entry: 'look',
          on: { abort: { target: 'gathered', actions: 'giveUp' } },
          invoke: {
            id: 'intake',
            src: 'intake',
            input: ({ context: { state } }) => ({ turn: state.turn, parkable: false }),
            onDone: [
              { guard: 'isSkipped', target: 'gathered', actions: ['skip', 'halt'] },
              { target: 'running', actions: 'advance' },
            ],
            onError: { target: 'gathered', actions: ['giveUpUnread', 'crash'] },
          },
        },
        gathered: {
          description: 'Every call has its result.',
          entry: 'gather',
          always: [
            { guard: 'hasCrashed', target: '#agent.thinking.failing' },
            { guard: 'isWoundDown', target: '#agent.done', actions: 'endBudget' },
            { guard: 'isStopped', target: '#agent.done', actions: 'endCalls' },
            { guard: 'hasReported', target: '#agent.thinking.judging' },
            { guard: 'isStuck', target: '#agent.done', actions: 'endStuck' },
            { guard: 'isLastTurn', target: '#agent.done', actions: 'endTurns' },
            { guard: 'mustVerify', target: 'checking' },
            { target: 'turning', actions: 'goOn' },
          ],
        },
        checking: {
          description: 'Something was changed: the work is checked.',
          on: { abort: { target: '#agent.done', actions: ['dropCheck', 'endCalls'] } },
          invoke: {
            id: 'verify',
            src: 'verify',
            input: ({ context }) => checkOf(context, 'change'),
            onDone: [
              { guard: 'saysStop', target: '#agent.done', actions: 'endCalls' },
              { guard: 'isRefuted', target: 'turning', actions: ['hintRefuted', 'goOnRefuted'] },
              { guard: 'isVerified', target: 'turning', actions: ['confirm', 'goOn'] },
              { target: 'turning', actions: 'goOn' },
            ],
            onError: { target: 'turning', actions: ['warn', 'goOn'] },
          },
        },
        turning: {
          description: 'The results stand and the next turn begins: it looks into its inbox where it has to, or asks.',
          always: [{ guard: 'mustLook', target: '#agent.thinking.taking_in' }, { target: '#agent.thinking.asking' }],
        },
      },
    },
    done: { description: 'It has ended, for a stated reason.', type: 'final', entry: 'close' },
  },
})
