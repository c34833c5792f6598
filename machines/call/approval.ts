import { assign, enqueueActions, setup } from 'xstate'
import type { FactOf } from '../../src/protocol/facts/fact.ts'
import type { Answer, Decision } from '../../src/protocol/permissions/permission.ts'
import type {
  AnswerInput,
  CallInput,
  ClaimInput,
  RegisterOutput,
  RememberInput,
  RequestPlan,
  WaitInput,
} from '../../src/protocol/port.ts'
import type { CallDescription } from '../../src/protocol/tools/tool.ts'
import { longestDelay } from '../actors/alarm.ts'
import { port } from '../actors/port.ts'

/*
 * One question that the rules left open, until somebody answered it.
 * Owns: who is consulted in which order, the deadline, and that exactly one answer counts.
 * Never: knows where a question is kept or what a face looks like.
 * 1. A question is registered before anybody is told of it, so an answer cannot come too early to be heard.
 * 2. Race: hooks, classifier and people at once. Sequence: people only when the others had no opinion.
 * 3. What is decided beside a registered question is claimed there: somebody may have answered first, and wins.
 * 4. A changed input is judged again by the rules, and a denial of theirs stands. 5. Hooks and classifiers that fail
 *    have no opinion; any other failure is nobody's answer and rises.
 */

export interface ApprovalContext extends AnswerInput {
  readonly plan: RequestPlan
  readonly registered: RegisterOutput
  readonly answer: Answer
}

type RequestEvent = { readonly type: 'expired' }

const unplanned: RequestPlan = { order: 'sequence', hooked: false, classifies: false }
const unregistered: RegisterOutput = { request: null, deadline: null, wait_ms: null }
const unanswered: Answer = { behavior: 'deny', source: 'nobody', reason: 'nobody answered' }
const overdue: Answer = { ...unanswered, reason: 'nobody answered in time', by: 'the deadline' }

/** A verdict over the changed input counts only where it denies: every question was answered before. */
function judgedAgain(answer: Answer, verdict: Decision): Answer {
  if (verdict.behavior !== 'deny') return answer
  const { source, rule, reason } = verdict
  return {
    ...answer,
    behavior: 'deny',
    source,
    reason: `the changed input is denied: ${reason}`,
    ...(rule === undefined ? {} : { rule }),
  }
}

function waitInput({ call, decision, registered }: ApprovalContext): WaitInput {
  return { call, decision, request: registered.request }
}

function answeredCall({ call, answer }: ApprovalContext): CallDescription {
  return answer.updated_input === undefined ? call : { ...call, input: answer.updated_input, amended: true }
}

export const approvalMachine = setup({
  types: {
    context: {} as ApprovalContext,
    input: {} as AnswerInput,
    output: {} as Answer,
    events: {} as RequestEvent,
    emitted: {} as FactOf<'permission.requested'>,
  },
  actors: {
    plan: port<RequestPlan, AnswerInput>('plan'),
    consultHooks: port<Answer | null, AnswerInput>('consultHooks'),
    classify: port<Answer | null, AnswerInput>('classify'),
    register: port<RegisterOutput, AnswerInput>('register'),
    wait: port<Answer, WaitInput>('wait'),
    claim: port<Answer, ClaimInput>('claim'),
    judgeAgain: port<Decision, CallInput>('judgeAgain'),
    remember: port<void, RememberInput>('remember'),
  },
  guards: {
    hasOpinion: (_, answer: Answer | null) => answer !== null,
    races: ({ context }) => context.plan.order === 'race',
    isHooked: ({ context }) => context.plan.hooked,
    classifies: ({ context }) => context.plan.classifies,
    isChanged: ({ context: { answer } }) => answer.behavior === 'allow' && answer.updated_input !== undefined,
    isLasting: ({ context: { answer } }) =>
      answer.behavior === 'allow' && (answer.scope === 'session' || answer.scope === 'save'),
  },
  actions: {
    plan: assign({ plan: (_, plan: RequestPlan) => plan }),
    /** The question stands: whoever may answer hears of it, and the clock runs. */
    announce: enqueueActions(({ context: { call, decision }, enqueue }, registered: RegisterOutput) => {
      const { request, deadline, wait_ms } = registered
      enqueue.assign({ registered })
      if (request !== null) {
        const { id, tool } = call
        enqueue.emit({ type: 'permission.requested', call_id: id, tool, request, decision, deadline })
      }
      if (wait_ms !== null) enqueue.raise({ type: 'expired' }, { delay: Math.min(wait_ms, longestDelay) })
    }),
    hear: assign({ answer: (_, answer: Answer | null) => answer ?? unanswered }),
    giveUp: assign({ answer: overdue }),
    judge: assign({ answer: ({ context }, verdict: Decision) => judgedAgain(context.answer, verdict) }),
  },
}).createMachine({
  id: 'approval',
  context: ({ input }) => ({ ...input, plan: unplanned, registered: unregistered, answer: unanswered }),
  initial: 'planning',
  on: { expired: {} },
  states: {
    planning: {
      description: 'Who is consulted, and in which order, is looked up.',
      invoke: {
        src: 'plan',
        input: ({ context: { call, decision } }) => ({ call, decision }),
        onDone: { target: 'planned', actions: { type: 'plan', params: ({ event }) => event.output } },
      },
    },
    planned: {
      description: 'The order is known.',
      always: [
        { guard: 'races', target: 'registering' },
        { guard: 'isHooked', target: 'consulting' },
        { guard: 'classifies', target: 'classifying' },
        { target: 'registering' },
      ],
    },
    consulting: {
      description: 'Hooks are asked.',
      invoke: {
        src: 'consultHooks',
        input: ({ context: { call, decision } }) => ({ call, decision }),
        onDone: [
          {
            guard: { type: 'hasOpinion', params: ({ event }) => event.output },
            target: 'answered',
            actions: { type: 'hear', params: ({ event }) => event.output },
          },
          { guard: 'classifies', target: 'classifying' },
          { target: 'registering' },
        ],
        onError: [{ guard: 'classifies', target: 'classifying' }, { target: 'registering' }],
      },
    },
    classifying: {
      description: 'The classifier is asked.',
      invoke: {
        src: 'classify',
        input: ({ context: { call, decision } }) => ({ call, decision }),
        onDone: [
          {
            guard: { type: 'hasOpinion', params: ({ event }) => event.output },
            target: 'answered',
            actions: { type: 'hear', params: ({ event }) => event.output },
          },
          { target: 'registering' },
        ],
        onError: 'registering',
      },
    },
    registering: {
      description: 'The question is put where whoever may answer finds it.',
      invoke: {
        src: 'register',
        input: ({ context: { call, decision } }) => ({ call, decision }),
        onDone: [
          {
            guard: 'races',
            target: 'racing',
            actions: { type: 'announce', params: ({ event }) => event.output },
          },
          { target: 'waiting', actions: { type: 'announce', params: ({ event }) => event.output } },
        ],
      },
    },
    waiting: {
      description: 'Somebody has to answer.',
      on: { expired: { target: 'claiming', actions: 'giveUp' } },
      invoke: {
        src: 'wait',
        input: ({ context }) => waitInput(context),
        onDone: { target: 'answered', actions: { type: 'hear', params: ({ event }) => event.output } },
      },
    },
    racing: {
      description: 'Everybody is asked at once; the first opinion counts.',
      on: { expired: { target: 'claiming', actions: 'giveUp' } },
      invoke: [
        {
          src: 'wait',
          input: ({ context }) => waitInput(context),
          onDone: { target: 'answered', actions: { type: 'hear', params: ({ event }) => event.output } },
        },
        {
          src: 'consultHooks',
          input: ({ context: { call, decision } }) => ({ call, decision }),
          onDone: {
            guard: { type: 'hasOpinion', params: ({ event }) => event.output },
            target: 'claiming',
            actions: { type: 'hear', params: ({ event }) => event.output },
          },
          onError: {},
        },
        {
          src: 'classify',
          input: ({ context: { call, decision } }) => ({ call, decision }),
          onDone: {
            guard: { type: 'hasOpinion', params: ({ event }) => event.output },
            target: 'claiming',
            actions: { type: 'hear', params: ({ event }) => event.output },
          },
          onError: {},
        },
      ],
    },
    claiming: {
      description: 'An answer from beside the question is entered, unless somebody was faster.',
      invoke: {
        src: 'claim',
        input: ({ context }) => ({ ...waitInput(context), answer: context.answer }),
        onDone: { target: 'answered', actions: { type: 'hear', params: ({ event }) => event.output } },
      },
    },
    answered: {
      description: 'There is an answer.',
      always: [
        { guard: 'isChanged', target: 'judging' },
        { guard: 'isLasting', target: 'remembering' },
        { target: 'settled' },
      ],
    },
    judging: {
      description: 'A changed input is judged by the rules again.',
      invoke: {
        src: 'judgeAgain',
        input: ({ context }) => ({ call: answeredCall(context) }),
        onDone: { target: 'judged', actions: { type: 'judge', params: ({ event }) => event.output } },
      },
    },
    judged: {
      description: 'The rules have spoken of the changed input.',
      always: [{ guard: 'isLasting', target: 'remembering' }, { target: 'settled' }],
    },
    remembering: {
      description: 'What the answer permits from now on is kept.',
      invoke: {
        src: 'remember',
        input: ({ context }) => ({ call: answeredCall(context), answer: context.answer }),
        onDone: 'settled',
        onError: 'settled',
      },
    },
    settled: { description: 'The answer holds.', type: 'final' },
  },
  output: ({ context }) => context.answer,
})
