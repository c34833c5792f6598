import { assign, emit, setup } from 'xstate'
import { errorText } from '../../src/protocol/words/error-text.ts'
import type { FactOf } from '../../src/protocol/facts/fact.ts'
import type { Answer, Decision } from '../../src/protocol/permissions/permission.ts'
import type { CallInput, PermissionOutput } from '../../src/protocol/port.ts'
import type { CallDescription } from '../../src/protocol/tools/tool.ts'
import { port } from '../actors/port.ts'
import { approvalMachine } from './approval.ts'

/*
 * One question, "may this call run?", and exactly one answer to it.
 * Owns: the order judge → (only when it asks) machines/call/approval.ts → decision.
 * Never: reads rules, talks to anyone, or changes a decision after it was made.
 * 1. It is final after its first decision, so a second click or a late answer cannot exist.
 * 2. It fails closed: a port that rejects is a denial with the reason.
 * 3. Every decision it reaches is stated once as `permission.decided`. A permission that its tool call
 *    gave up (abort) reaches none; `call.finished` closes that story.
 */

export interface PermissionContext {
  readonly call: CallDescription
  /** The cascade's `ask`, while somebody is being asked. */
  readonly question: Decision
  readonly verdict: PermissionOutput
  /** How it came to the verdict, for the fact: nothing of it when the cascade alone decided. */
  readonly asked: Pick<FactOf<'permission.decided'>, 'asked' | 'request' | 'by'>
}

/** Stands where nothing was decided. */
export const unjudged: Decision = { behavior: 'deny', source: 'bounds', reason: 'Nothing was decided.' }

function judged(decision: Decision): PermissionOutput {
  return { decision, stop: false }
}

/** The answer as a decision; it still turns on the path that made the cascade ask. */
function answered(question: Decision, answer: Answer): PermissionOutput {
  const { behavior, source, rule, reason } = answer
  const { path } = question
  return {
    decision: {
      behavior,
      source,
      ...(rule === undefined ? {} : { rule }),
      reason,
      ...(path === undefined ? {} : { path }),
    },
    stop: answer.scope === 'stop',
    ...(answer.updated_input === undefined ? {} : { updated_input: answer.updated_input }),
  }
}

export const permissionMachine = setup({
  types: {
    context: {} as PermissionContext,
    input: {} as CallInput,
    output: {} as PermissionOutput,
    emitted: {} as FactOf<'permission.decided'>,
  },
  actors: {
    judge: port<Decision, CallInput>('judge'),
    answer: approvalMachine,
  },
  guards: {
    asks: (_, decision: Decision) => decision.behavior === 'ask',
  },
  actions: {
    pose: assign(({ context }, decision: Decision) => ({ ...context, question: decision, asked: { asked: decision } })),
    decide: assign({ verdict: (_, verdict: PermissionOutput) => verdict }),
    hear: assign(({ context }, answer: Answer) => ({
      verdict: answered(context.question, answer),
      asked: {
        ...context.asked,
        ...(answer.request === undefined ? {} : { request: answer.request }),
        ...(answer.by === undefined ? {} : { by: answer.by }),
      },
    })),
    refuse: assign({
      verdict: (_, refusal: Pick<Decision, 'source' | 'reason'>) => judged({ behavior: 'deny', ...refusal }),
    }),
    state: emit(({ context }) => ({
      type: 'permission.decided' as const,
      call_id: context.call.id,
      tool: context.call.tool,
      decision: context.verdict.decision,
      ...context.asked,
      ...(context.verdict.updated_input === undefined ? {} : { updated_input: context.verdict.updated_input }),
    })),
  },
}).createMachine({
  id: 'permission',
  context: ({ input }) => ({ call: input.call, question: unjudged, verdict: judged(unjudged), asked: {} }),
  initial: 'judging',
  states: {
    judging: {
      description: 'The rules are asked.',
      invoke: {
        src: 'judge',
        input: ({ context }) => ({ call: context.call }),
        onDone: [
          {
            guard: { type: 'asks', params: ({ event }) => event.output },
            target: 'asking',
            actions: { type: 'pose', params: ({ event }) => event.output },
          },
          { target: 'decided', actions: { type: 'decide', params: ({ event }) => judged(event.output) } },
        ],
        onError: {
          target: 'decided',
          actions: {
            type: 'refuse',
            params: ({ event }) => ({
              source: 'bounds' as const,
              reason: `The permission check failed: ${errorText(event.error)}`,
            }),
          },
        },
      },
    },
    asking: {
      description: 'Somebody is asked.',
      invoke: {
        src: 'answer',
        input: ({ context }) => ({ call: context.call, decision: context.question }),
        onDone: {
          target: 'decided',
          actions: { type: 'hear', params: ({ event }) => event.output },
        },
        onError: {
          target: 'decided',
          actions: {
            type: 'refuse',
            params: ({ event }) => ({
              source: 'nobody' as const,
              reason: `Nobody could be asked: ${errorText(event.error)}`,
            }),
          },
        },
      },
    },
    decided: { description: 'It was decided, once.', type: 'final', entry: 'state' },
  },
  output: ({ context }) => context.verdict,
})
