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
  Limited,
} from '../../src/protocol/port.ts'
import type { CallOutcome, CallDescription, ToolOutput } from '../../src/protocol/tools/tool.ts'
import type { Decision } from '../../src/protocol/permissions/permission.ts'
import { blockedFor } from './call-verdict.ts'
import type { RefusalKind } from '../../src/protocol/tools/call-fact.ts'
import { permissionMachine, unjudged } from './permission.ts'
import { port } from '../actors/port.ts'
import type { FactOf } from '../../src/protocol/facts/fact.ts'
import { endingOf, errorResult, skippedResult, textOf } from '../../src/protocol/conversation/message.ts'

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
      outcome: ({ context }, refusal: GateRefusal) => refused(context.call, { stop: context.stop, ...refusal }),
      denial: ({ context }, { decision = context.denial }: GateRefusal) => decision,
    }),
    skip: assign({ outcome: ({ context }) => skipped(context.call) }),
    permit: assign(({ context }, permit: PermissionOutput) => ({
      call: amended(context.call, permit.updated_input),
      stop: permit.stop || context.stop,
    })),
    /** Hooks do not see their own change. */
    amend: assign(({ context }, output: PreHooksOutput) => ({
      call: opined(amended(context.call, changedBy(output)), output),
      shown: true,
    })),
    substitute: assign((_, { output }: Pick<RunOutput, 'output'>) => ({ output })),
    keep: assign(({ context }, ran: RunOutput) => afterAttempt(context, ran)),
    wait: assign(({ context }, ran: RunOutput) => ({
      durationMs: context.durationMs + ran.duration_ms,
      pauseMs: ran.again_ms ?? 0,
      attempt: context.attempt + 1,
    })),
    note: assign(({ context }, { note, instead, stop }: PostHooksOutput) => ({
      output: noted(replaced(context.output, instead), note),
      stop: context.stop || stop === true,
    })),
    comment: assign({ outcome: ({ context }, { note }: PostHooksOutput) => commented(context.outcome, note) }),
    answer: assign({ outcome: ({ context }) => answeredOutcome(context) }),
    conclude: assign(({ context }, ran: RunOutput) => {
      const after = afterAttempt(context, ran)
      return { output: after.output, durationMs: after.durationMs, outcome: answeredOutcome(after) }
    }),
    statePermit: enqueueActions(({ context: { call }, enqueue }) => {
      for (const fact of permittedFact(call)) enqueue.emit(fact)
    }),
    stateRefusal: emit(({ context }, { why, reason }: { why: RefusalKind; reason: string }) =>
      refusedFact(context, why, reason),
    ),
    stateBlock: emit(({ context }, verdict: PreHooksOutput) => blockedFact(context, verdict)),
    /** The gate's effects are stated and remembered. */
    pass: enqueueActions(({ context, enqueue }, output: GateOutput) => {
      for (const fact of gateFacts(context, output)) enqueue.emit(fact)
      enqueue.assign({ limited: output.limited ?? null })
    }),
    stateRetry: emit(({ context }, ran: RunOutput) => retriedFact(context, ran)),
    /** Further attempts belong to the same start. */
    stateStart: enqueueActions(({ context: { call, attempt }, enqueue }) => {
      if (attempt === 1) enqueue.emit(startedFact(call))
    }),
    stateFinish: emit(({ context }) => finishedFact(context)),
  },
})

/* The context of a tool call, and the pure steps of its life. */

export interface ToolCallInput {
  readonly call: CallDescription
  /** Some hook may want to see this member's calls. */
  readonly hooked: boolean
}

export interface ToolCallContext extends ToolCallInput {
  readonly output: ToolOutput
  /** Of all attempts together, without the pauses. */
  readonly durationMs: number
  /** The attempt that runs or comes next, from 1. */
  readonly attempt: number
  /** How long it waits before the next attempt. */
  readonly pauseMs: number
  /** Hooks have seen the call as it is now. */
  readonly shown: boolean
  /** True when the answer that allowed the call also ends this agent's run. */
  readonly stop: boolean
  readonly limited: Limited | null
  readonly denial: Decision
  readonly outcome: CallOutcome
}

type CallFact = FactOf<
  | 'permission.decided'
  | 'call.started'
  | 'call.finished'
  | 'call.refused'
  | 'call.retried'
  | 'call.reused'
  | 'call.limited'
>

type StartFact = FactOf<'permission.decided' | 'call.started'>

export interface GateRefusal {
  readonly text: string
  readonly stop?: boolean
  readonly broke?: boolean
  readonly decision?: Decision
}

/** How a call begins: nothing has answered it. */
export function fresh(input: ToolCallInput): ToolCallContext {
  return {
    ...input,
    output: { content: [] },
    durationMs: 0,
    attempt: 1,
    pauseMs: 0,
    shown: false,
    stop: false,
    limited: null,
    denial: unjudged,
    outcome: refused(input.call, { text: 'The call did not settle.' }),
  }
}

export function refused(call: CallDescription, refusal: GateRefusal): CallOutcome {
  const { text, stop = false, broke = false } = refusal
  return { result: errorResult(call.id, call.tool, text), stop, broke }
}

/** A call that a new message came before. */
function skipped({ id, tool }: CallDescription): CallOutcome {
  return { result: skippedResult(id, tool), stop: false, broke: false }
}

function answeredOutcome({ call, output, stop, limited }: ToolCallContext): CallOutcome {
  const { content, isError = false, broke = false, exit } = output
  const ended = exit === undefined ? {} : { exit }
  return {
    result: { call_id: call.id, tool: call.tool, content: [...content], is_error: isError, ...ended },
    stop,
    broke,
    ...(limited?.steer === undefined ? {} : { steer: limited.steer }),
  }
}

/** Replaces the input of a call; an undefined one leaves the input as it is. */
function amended(call: CallDescription, input: unknown): CallDescription {
  return input === undefined ? call : { ...call, input, amended: true }
}

/** The call with what hooks think of it. */
function opined(call: CallDescription, output: PreHooksOutput): CallDescription {
  const opinion = output.verdict === 'none' ? output.opinion : undefined
  return opinion === undefined ? call : { ...call, opinion }
}

function replaced(output: ToolOutput, instead: string | undefined): ToolOutput {
  return instead === undefined ? output : { ...output, content: [{ type: 'text', text: instead }] }
}

function noted(output: ToolOutput, note: string | null): ToolOutput {
  return note === null ? output : { ...output, content: [...output.content, { type: 'text', text: note }] }
}

/** The same for a call that was refused. */
function commented(outcome: CallOutcome, note: string | null): CallOutcome {
  const { result } = outcome
  return { ...outcome, result: { ...result, content: [...noted(result, note).content] } }
}

/** A hook refused the call, or the middleware that is named. */
function blockedFact(context: ToolCallContext, verdict: PreHooksOutput): CallFact {
  const by = verdict.verdict === 'block' ? verdict.by : undefined
  const fact = refusedFact(context, by === undefined ? 'hook' : 'middleware', blockedFor(verdict))
  return by === undefined ? fact : { ...fact, by }
}

function changedBy(verdict: PreHooksOutput): unknown {
  return verdict.verdict === 'none' ? verdict.updated_input : undefined
}

/** The attempts of a call add up. */
function afterAttempt(context: ToolCallContext, { output, duration_ms }: RunOutput): ToolCallContext {
  return { ...context, output, durationMs: context.durationMs + duration_ms }
}

function refusedFact({ call }: ToolCallContext, why: RefusalKind, reason: string): FactOf<'call.refused'> {
  return { type: 'call.refused', call_id: call.id, tool: call.tool, why, reason }
}

function retriedFact({ call, attempt }: ToolCallContext, { output, again_ms = 0 }: RunOutput): CallFact {
  const { id: call_id, tool } = call
  return { type: 'call.retried', call_id, tool, attempt, delay_ms: again_ms, reason: textOf(output).slice(0, 500) }
}

/** The facts about a gate that had an effect on a call. */
function gateFacts(context: ToolCallContext, answer: GateOutput): readonly CallFact[] {
  const [{ id: call_id, tool }, { limited }] = [context.call, answer]
  const about = { call_id, tool }
  return [
    ...(limited ? [{ type: 'call.limited', ...about, limit: limited.limit, then: limited.then } as const] : []),
    ...(answer.verdict === 'answer' ? [{ type: 'call.reused', ...about, of: answer.of } as const] : []),
    ...(answer.verdict === 'block' && answer.why ? [refusedFact(context, answer.why, answer.message)] : []),
  ]
}

/** Only of a call that was allowed as it was described. */
function permittedFact({ allowed, id, tool }: CallDescription): readonly StartFact[] {
  return allowed === undefined ? [] : [{ type: 'permission.decided', call_id: id, tool, decision: allowed }]
}

function startedFact({ id, tool }: CallDescription): StartFact {
  return { type: 'call.started', call_id: id, tool }
}

function finishedFact({ call, outcome, durationMs, output: { stored, file } }: ToolCallContext): CallFact {
  return {
    type: 'call.finished',
    ...endingOf(outcome.result),
    call_id: call.id,
    tool: call.tool,
    duration_ms: durationMs,
    ...(stored === undefined ? {} : { stored }),
    ...(file === undefined ? {} : { file }),
  }
}
