import { errorResult, type ToolResult } from '../src/protocol/message.ts'
import type { IntakeOutput } from '../src/protocol/port.ts'
import type { CallDescription, CallOutcome } from '../src/protocol/tool.ts'
import { signatureOf } from '../src/rules/stuck-loop.ts'
import { toolBatches } from '../src/rules/tool-batches.ts'
import { appended, type AgentContext, type AgentFact, type Continue, type LoopState, type Step } from './agent-state.ts'
import { interruptedText } from './agent-steps.ts'
import { errorText } from './error-text.ts'

/*
 * The pure transitions of acting: calls in batches, results by index, one tool message at the end.
 * 1. Every call gets exactly one result; `gathered` fills the holes that giving up leaves.
 * 2. Results stand in the order of the calls, whatever order they came in.
 */

/** Turns that the loop guard looks back on. */
const remembered = 10

export const cancelledText = 'Cancelled: a parallel call failed'

export const unreadText = 'Not run: the inbox could not be read.'

/** The one tool whose calls let a lead wait instead of asking the model again. */
export const delegation = 'Delegate'

export function dispatched({ state, card }: AgentContext): Step {
  const batches = toolBatches(state.calls, card.limits.parallel_calls)
  return {
    state: { ...state, batches, batch: 0, results: {}, received: false, stopped: null },
    facts: [],
  }
}

/** The calls that are running now, each with the id of its actor; an id may come twice in one message. */
export function pendingCalls(state: LoopState): readonly (readonly [string, CallDescription])[] {
  return (state.batches[state.batch] ?? []).flatMap((index) => {
    const call = state.calls[index]
    return call === undefined || state.results[index] !== undefined ? [] : [[childId(call, index), call] as const]
  })
}

export function childId(call: CallDescription, index: number): string {
  return `${call.id}#${index}`
}

export function collected(state: LoopState, actorId: string, outcome: CallOutcome): LoopState {
  return {
    ...state,
    results: { ...state.results, [indexOfChild(state, actorId)]: outcome.result },
    stopped: outcome.stop ? (state.stopped ?? interruptedText) : state.stopped,
  }
}

/** The outcome of a call whose actor failed, which is a fault of ours: the model is told all the same. */
export function lostOutcome(state: LoopState, actorId: string, error: unknown): CallOutcome {
  const call = state.calls[indexOfChild(state, actorId)]
  const text = `The call crashed: ${errorText(error)}`
  return { result: errorResult(call?.id ?? actorId, call?.tool ?? actorId, text), stop: false, broke: true }
}

function indexOfChild(state: LoopState, actorId: string): number {
  return state.calls.findIndex((call, index) => childId(call, index) === actorId)
}

/** What the calls beside a settled one are told, or null when they may go on. */
export function siblingAbort(outcome: CallOutcome): string | null {
  if (outcome.stop) return interruptedText
  return outcome.broke ? cancelledText : null
}

export function advanced({ state }: AgentContext, intake: IntakeOutput): Step {
  return { state: { ...state, batch: state.batch + 1, received: state.received || intake.received > 0 }, facts: [] }
}

export function givenUp({ state }: AgentContext, { reason }: { reason: string }): Step {
  return { state: { ...state, stopped: state.stopped ?? reason }, facts: [] }
}

export function gathered({ state }: AgentContext): Step {
  const lost = state.stopped ?? interruptedText
  const results = state.calls.map((call, index) => state.results[index] ?? errorResult(call.id, call.tool, lost))
  const holes = results.filter((_, index) => state.results[index] === undefined)
  const uses = state.calls.map(({ id, tool, input }) => ({ type: 'tool_use' as const, id, name: tool, input }))
  const signatures = [...state.signatures.slice(1 - remembered), signatureOf(uses, results)]
  return {
    state: { ...state, signatures, toolsLast: true },
    facts: [...holes.map(finishedUnrun), appended({ role: 'tool', results })],
  }
}

/** The next turn, named after what made it more than that. */
export function afterCalls(state: LoopState): Continue {
  const waited = state.steers.length > 0 ? 'steered' : 'next_turn'
  return {
    reason: state.received ? 'mail' : waited,
    messages: [],
    counts: true,
    parks: state.calls.every((call) => call.tool === delegation),
  }
}

/** A call that its actor did not finish is finished here. */
export function finishedUnrun(result: ToolResult): AgentFact {
  return { type: 'call.finished', call_id: result.call_id, tool: result.tool, is_error: true, duration_ms: 0 }
}
