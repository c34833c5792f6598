import { assign, emit, enqueueActions, setup } from 'xstate'
import type {
  CallInput,
  DeniedHooksInput,
  GateOutput,
  PermissionOutput,
  PostHooksInput,
  PostHooksOutput,
  PreHooksOutput,
  RunInput,
  RunOutput,
  ValidateOutput,
} from '../../src/protocol/port.ts'
import type { CallOutcome } from '../../src/protocol/tools/tool.ts'
import type { RefusalKind } from '../../src/protocol/tools/call-fact.ts'
import * as steps from './call-steps.ts'
import type { CallFact, GateRefusal, ToolCallContext, ToolCallInput } from './call-steps.ts'
import { permissionMachine } from './permission.ts'
import { port } from '../actors/port.ts'

/** Commands of the agent to a call in flight. */
export type ToolCallCommand =
  /** Without a time when another call's end is the cause. */
  | { readonly type: 'abort'; readonly at?: number; readonly reason: string }
  /** A new message came that does not wait: what has not begun does not begin, and what can be cancelled is. */
  | { readonly type: 'interrupt'; readonly at: number }
  /** A new message came: what has not begun does not begin. */
  | { readonly type: 'skip'; readonly at: number }

/** Ports, guards and actions of one tool call; `tool-call.ts` says what happens in which order. */
export const callSetup = setup({
  types: {
    context: {} as ToolCallContext,
    input: {} as ToolCallInput,
    output: {} as CallOutcome,
    events: {} as ToolCallCommand,
    emitted: {} as CallFact,
  },
  actors: {
    validate: port<ValidateOutput, CallInput>('validate'),
    permission: permissionMachine,
    deniedHooks: port<PostHooksOutput, DeniedHooksInput>('deniedHooks'),
    preHooks: port<PreHooksOutput, CallInput>('preHooks'),
    gate: port<GateOutput, CallInput>('gate'),
    run: port<RunOutput, RunInput>('run'),
    postHooks: port<PostHooksOutput, PostHooksInput>('postHooks'),
  },
  delays: { pause: ({ context }) => context.pauseMs },
  guards: {
    isRefused: ({ context }) => context.call.refusal !== null,
    isChecked: ({ context }) => context.call.checked,
    isHooked: ({ context }) => context.hooked,
    /** A call that will not run needs no permission; a denial is worth more than the hint to look the tool up. */
    isDeferred: ({ context: { call } }) => call.deferred?.denied === false,
    isDeferredUnseen: ({ context: { call, hooked } }) => hooked && call.deferred?.denied === false,
    isUnseen: ({ context }) => context.hooked && !context.shown,
    isAllowed: ({ context }) => context.call.allowed !== undefined,
    isAllowedUnseen: ({ context }) => context.call.allowed !== undefined && context.hooked,
    isGated: ({ context }) => context.call.gated === true,
    isFree: ({ context: { call, hooked } }) => call.allowed !== undefined && !hooked && call.gated !== true,
    isCancellable: ({ context }) => context.call.interrupt === 'cancel',
    complains: (_, { complaint }: ValidateOutput) => complaint !== null,
    denies: (_, { decision }: PermissionOutput) => decision.behavior !== 'allow',
    deniesHooked: ({ context }, { decision }: PermissionOutput) => context.hooked && decision.behavior !== 'allow',
    blocks: (_, { verdict }: PreHooksOutput | GateOutput) => verdict === 'block',
    answers: (_, { verdict }: PreHooksOutput | GateOutput) => verdict === 'answer',
    answersHooked: ({ context }, { verdict }: GateOutput) => context.hooked && verdict === 'answer',
    amends: ({ context }, output: PreHooksOutput) =>
      output.verdict === 'none' && output.updated_input !== undefined && context.call.deferred === undefined,
    mayPass: (_, { again_ms }: RunOutput) => again_ms !== undefined,
  },
  actions: {
    refuse: assign({
      outcome: ({ context }, refusal: GateRefusal) => steps.refused(context.call, { stop: context.stop, ...refusal }),
    }),
    skip: assign({ outcome: ({ context }) => steps.skipped(context.call) }),
    permit: assign(({ context }, permit: PermissionOutput) => ({
      call: steps.amended(context.call, permit.updated_input),
      stop: permit.stop || context.stop,
    })),
    /** Hooks do not see their own change. */
    amend: assign(({ context }, { input }: { input: unknown }) => ({
      call: steps.amended(context.call, input),
      shown: true,
    })),
    substitute: assign((_, { output }: Pick<RunOutput, 'output'>) => ({ output })),
    keep: assign(({ context }, ran: RunOutput) => steps.afterAttempt(context, ran)),
    wait: assign(({ context }, ran: RunOutput) => ({
      durationMs: context.durationMs + ran.duration_ms,
      pauseMs: ran.again_ms ?? 0,
      attempt: context.attempt + 1,
    })),
    note: assign({ output: ({ context }, { note }: PostHooksOutput) => steps.noted(context.output, note) }),
    comment: assign({ outcome: ({ context }, { note }: PostHooksOutput) => steps.commented(context.outcome, note) }),
    answer: assign({ outcome: ({ context }) => steps.answeredOutcome(context) }),
    conclude: assign(({ context }, ran: RunOutput) => {
      const after = steps.afterAttempt(context, ran)
      return { output: after.output, durationMs: after.durationMs, outcome: steps.answeredOutcome(after) }
    }),
    statePermit: enqueueActions(({ context: { call }, enqueue }) => {
      for (const fact of steps.permittedFact(call)) enqueue.emit(fact)
    }),
    stateRefusal: emit(({ context }, { why, reason }: { why: RefusalKind; reason: string }) =>
      steps.refusedFact(context, why, reason),
    ),
    /** The gate's effects are stated and remembered. */
    pass: enqueueActions(({ context, enqueue }, output: GateOutput) => {
      for (const fact of steps.gateFacts(context, output)) enqueue.emit(fact)
      enqueue.assign({ limited: output.limited ?? null })
    }),
    stateRetry: emit(({ context }, ran: RunOutput) => steps.retriedFact(context, ran)),
    /** Further attempts belong to the same start. */
    stateStart: enqueueActions(({ context: { call, attempt }, enqueue }) => {
      if (attempt === 1) enqueue.emit(steps.startedFact(call))
    }),
    stateFinish: emit(({ context }) => steps.finishedFact(context)),
  },
})
