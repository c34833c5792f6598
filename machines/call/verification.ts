import { assign, emit, setup } from 'xstate'
import { errorText } from '../../src/protocol/words/error-text.ts'
import type { FactOf } from '../../src/protocol/facts/fact.ts'
import type { CheckInput, CheckOutput, PermissionOutput, VerifyOutput } from '../../src/protocol/port.ts'
import type { CallDescription } from '../../src/protocol/tools/tool.ts'
import type { VerifyMoment } from '../../src/protocol/work/work-fact.ts'
import type { VerifyPlan } from '../../src/protocol/team/work-card.ts'
import { verifyCall, verifyCommand } from '../../src/rules/team/verification.ts'
import { permissionMachine } from './permission.ts'
import { port } from '../actors/port.ts'

/*
 * One check of a member's work: permission → the command → a verdict.
 * Owns: that no command runs unpermitted, and the facts `verify.started` and `verify.settled`.
 * Never: knows what follows from a verdict; that is the agent's.
 * 1. A command that may not run, or cannot, says nothing of the work: the verdict is `none`, and the fact says why.
 * 2. Who leaves the check in the middle states its end (the agent, on abort).
 */

export interface VerificationInput {
  readonly plan: VerifyPlan
  readonly turn: number
  readonly after: VerifyMoment
}

export interface VerificationContext extends VerificationInput {
  readonly call: CallDescription
  readonly output: VerifyOutput
  readonly durationMs: number
  /** Why it did not run. */
  readonly reason: string | null
  readonly why: FactOf<'verify.settled'>['why']
}

type VerificationFact = FactOf<'verify.started' | 'verify.settled'>

export const verificationMachine = setup({
  types: {
    context: {} as VerificationContext,
    input: {} as VerificationInput,
    output: {} as VerifyOutput,
    emitted: {} as VerificationFact,
  },
  actors: {
    permission: permissionMachine,
    check: port<CheckOutput, CheckInput>('check'),
  },
  guards: {
    allows: (_, { decision }: PermissionOutput) => decision.behavior === 'allow',
  },
  actions: {
    permit: assign(({ context }, { updated_input }: PermissionOutput) =>
      updated_input === undefined ? {} : { call: { ...context.call, input: updated_input } },
    ),
    refuse: assign((_, { decision, stop }: PermissionOutput) => ({
      output: { verdict: 'none' as const, stop },
      reason: decision.reason,
      why: 'denied' as const,
    })),
    judge: assign((_, { passed, report, duration_ms }: CheckOutput) => ({
      output: passed ? { verdict: 'passed' as const } : { verdict: 'failed' as const, report },
      durationMs: duration_ms,
    })),
    giveUp: assign((_, { error, why }: { error: unknown; why: 'denied' | 'not_started' }) => ({
      reason: errorText(error),
      why,
    })),
    stateStart: emit(({ context: { call } }) => ({
      type: 'verify.started' as const,
      call_id: call.id,
      command: verifyCommand(call),
    })),
    stateEnd: emit(({ context: { call, after, output, durationMs, reason, why } }) => ({
      type: 'verify.settled' as const,
      call_id: call.id,
      command: verifyCommand(call),
      after,
      verdict: output.verdict === 'none' ? ('not_run' as const) : output.verdict,
      duration_ms: durationMs,
      ...(reason === null ? {} : { reason }),
      ...(why === undefined ? {} : { why }),
    })),
  },
}).createMachine({
  id: 'verification',
  context: ({ input }) => ({
    ...input,
    call: verifyCall(input.plan, input.turn),
    output: { verdict: 'none', stop: false },
    durationMs: 0,
    reason: null,
    why: undefined,
  }),
  initial: 'permitting',
  entry: 'stateStart',
  states: {
    permitting: {
      description: 'Whether the command may run is found out as for any other.',
      invoke: {
        src: 'permission',
        input: ({ context }) => ({ call: context.call }),
        onDone: [
          {
            guard: { type: 'allows', params: ({ event }) => event.output },
            target: 'running',
            actions: { type: 'permit', params: ({ event }) => event.output },
          },
          { target: 'settled', actions: { type: 'refuse', params: ({ event }) => event.output } },
        ],
        onError: {
          target: 'settled',
          actions: { type: 'giveUp', params: ({ event: { error } }) => ({ error, why: 'denied' as const }) },
        },
      },
    },
    running: {
      description: 'The command runs.',
      invoke: {
        src: 'check',
        input: ({ context: { call, plan } }) => ({ call, timeout_ms: plan.timeout_ms }),
        onDone: { target: 'settled', actions: { type: 'judge', params: ({ event }) => event.output } },
        onError: {
          target: 'settled',
          actions: { type: 'giveUp', params: ({ event: { error } }) => ({ error, why: 'not_started' as const }) },
        },
      },
    },
    settled: { description: 'There is a verdict, or a reason for none.', type: 'final', entry: 'stateEnd' },
  },
  output: ({ context }) => context.output,
})
