import type { RefusalKind } from '../../src/protocol/tools/call-fact.ts'
import type { FactOf } from '../../src/protocol/facts/fact.ts'
import { endingOf, errorResult, skippedResult, textOf } from '../../src/protocol/conversation/message.ts'
import type { GateOutput, Limited, PreHooksOutput, RunOutput } from '../../src/protocol/port.ts'
import type { CallDescription, CallOutcome, ToolOutput } from '../../src/protocol/tools/tool.ts'

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
  readonly outcome: CallOutcome
}

export type CallFact = FactOf<
  | 'permission.decided'
  | 'call.started'
  | 'call.finished'
  | 'call.refused'
  | 'call.retried'
  | 'call.reused'
  | 'call.limited'
>

export type StartFact = FactOf<'permission.decided' | 'call.started'>

export interface GateRefusal {
  readonly text: string
  readonly stop?: boolean
  readonly broke?: boolean
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
    outcome: refused(input.call, { text: 'The call did not settle.' }),
  }
}

export function refused(call: CallDescription, refusal: GateRefusal): CallOutcome {
  const { text, stop = false, broke = false } = refusal
  return { result: errorResult(call.id, call.tool, text), stop, broke }
}

/** A call that a new message came before. */
export function skipped({ id, tool }: CallDescription): CallOutcome {
  return { result: skippedResult(id, tool), stop: false, broke: false }
}

export function answeredOutcome({ call, output, stop, limited }: ToolCallContext): CallOutcome {
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
export function amended(call: CallDescription, input: unknown): CallDescription {
  return input === undefined ? call : { ...call, input, amended: true }
}

export function noted(output: ToolOutput, note: string | null): ToolOutput {
  return note === null ? output : { ...output, content: [...output.content, { type: 'text', text: note }] }
}

/** The same for a call that was refused. */
export function commented(outcome: CallOutcome, note: string | null): CallOutcome {
  if (note === null) return outcome
  const { result } = outcome
  return { ...outcome, result: { ...result, content: [...result.content, { type: 'text', text: note }] } }
}

/** Why a verdict blocks, in its own words. */
export function blockedFor(verdict: PreHooksOutput | GateOutput): string {
  return verdict.verdict === 'block' ? verdict.message : ''
}

/** The text to the model about a call that the gate holds back. */
export function gateText(answer: GateOutput): string {
  const held = answer.verdict === 'block' && answer.why !== undefined
  return held ? answer.message : `Blocked: ${blockedFor(answer)}`
}

/** The output of a verdict in the place of the tool's. */
export function givenBy(verdict: PreHooksOutput | GateOutput): ToolOutput {
  return verdict.verdict === 'answer' ? verdict.output : { content: [] }
}

export function changedBy(verdict: PreHooksOutput): unknown {
  return verdict.verdict === 'none' ? verdict.updated_input : undefined
}

/** The attempts of a call add up. */
export function afterAttempt(context: ToolCallContext, { output, duration_ms }: RunOutput): ToolCallContext {
  return { ...context, output, durationMs: context.durationMs + duration_ms }
}

export function refusedFact({ call }: ToolCallContext, why: RefusalKind, reason: string): CallFact {
  return { type: 'call.refused', call_id: call.id, tool: call.tool, why, reason }
}

export function retriedFact({ call, attempt }: ToolCallContext, { output, again_ms = 0 }: RunOutput): CallFact {
  const { id: call_id, tool } = call
  return { type: 'call.retried', call_id, tool, attempt, delay_ms: again_ms, reason: textOf(output).slice(0, 500) }
}

/** The facts about a gate that had an effect on a call. */
export function gateFacts(context: ToolCallContext, answer: GateOutput): readonly CallFact[] {
  const { call } = context
  const about = { call_id: call.id, tool: call.tool }
  const { limited } = answer
  return [
    ...(limited ? [{ type: 'call.limited', ...about, limit: limited.limit, then: limited.then } as const] : []),
    ...(answer.verdict === 'answer' ? [{ type: 'call.reused', ...about, of: answer.of } as const] : []),
    ...(answer.verdict === 'block' && answer.why ? [refusedFact(context, answer.why, answer.message)] : []),
  ]
}

/** Only of a call that was allowed as it was described. */
export function permittedFact({ allowed, id, tool }: CallDescription): readonly StartFact[] {
  return allowed === undefined ? [] : [{ type: 'permission.decided', call_id: id, tool, decision: allowed }]
}

export function startedFact({ id, tool }: CallDescription): StartFact {
  return { type: 'call.started', call_id: id, tool }
}

export function finishedFact({ call, outcome, durationMs, output }: ToolCallContext): CallFact {
  const { stored, file } = output
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
