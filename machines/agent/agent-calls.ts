import { errorText } from '../../src/protocol/words/error-text.ts'
import { errorResult } from '../../src/protocol/conversation/message.ts'
import type { IntakeOutput } from '../../src/protocol/port.ts'
import type { CallDescription, CallOutcome } from '../../src/protocol/tools/tool.ts'
import { clumsyTurns } from '../../src/rules/conversation/escalation.ts'
import { overflowText, resultChars } from '../../src/rules/tools/tool-limit.ts'
import { signatureOf } from '../../src/rules/conversation/stuck-loop.ts'
import { toolBatches } from '../../src/rules/tools/tool-batches.ts'
import {
  appended,
  type AgentContext,
  type AgentFact,
  type Continue,
  type LoopState,
  type AgentStep,
} from './agent-state.ts'
import { interruptedText, runtimeSays, settled, type Settled } from './agent-steps.ts'
import { batchOf, childId, finishedUnrun, indexOfCall, waiting, withheld } from './call-waves.ts'

/*
 * The pure transitions of acting: calls in batches, results by index, one tool message at the end.
 * 1. Every call gets exactly one result; `gathered` fills the holes that giving up leaves.
 * 2. Results stand in the order of the calls, whatever order they came in.
 */

/** Turns that the loop guard looks back on. */
const remembered = 10

export const cancelledText = 'Cancelled: a parallel call failed'

export const unreadText = 'Not run: the inbox could not be read.'

/** The tools whose calls let a lead wait instead of asking the model again: what follows from them comes by mail. */
const parking: ReadonlySet<string> = new Set(['Delegate', 'SendMessage'])

/** The end of a call; one whose actor was lost has not been finished by anybody. */
export interface Collection {
  readonly actorId: string
  readonly outcome: CallOutcome
  readonly lost: boolean
}

/** The answer is kept and its calls are put in batches, the first of which starts now. */
export function dispatched(context: AgentContext, answer: Settled): AgentStep {
  const { state, facts } = settled(context, answer)
  const batches = toolBatches(state.calls, context.card.limits.parallel_calls)
  const running = batches[0]?.length ?? 0
  // What was proved holds until something may have changed.
  const verified = state.verified && !state.calls.some(({ changes }) => changes === true)
  const clumsy = clumsyTurns(state.clumsy, state.calls)
  const fresh = { begun: 0, results: {}, received: false, refuted: false, hints: [], stopped: null }
  return {
    state: { ...state, batches, batch: 0, running, verified, clumsy, ...fresh },
    facts: [...facts, ...state.calls.flatMap(coerced)],
  }
}

/** The calls that have no result yet, each with the id of its actor; an id may come twice in one message. */
export function pendingCalls(state: LoopState): readonly (readonly [string, CallDescription])[] {
  return batchOf(state).flatMap((index) => {
    const call = state.calls[index]
    return call === undefined || state.results[index] !== undefined ? [] : [[childId(index), call] as const]
  })
}

/** A call has ended. When those beside it are cancelled for it, what had not begun is answered here. */
export function collected(before: LoopState, { actorId, outcome, lost }: Collection): AgentStep {
  const state: LoopState = {
    ...before,
    results: { ...before.results, [indexOfCall(actorId)]: outcome.result },
    running: before.running - 1,
    hints: outcome.steer === undefined ? before.hints : [...before.hints, outcome.steer],
    stopped: outcome.stop ? (before.stopped ?? interruptedText) : before.stopped,
  }
  const facts = lost ? [finishedUnrun(outcome.result)] : []
  const reason = siblingAbort(outcome)
  return reason === null ? { state, facts } : withheld({ state, facts }, reason)
}

/** The outcome of a call whose actor failed, which is a fault of ours: the model is told all the same. */
export function lostOutcome(state: LoopState, actorId: string, error: unknown): CallOutcome {
  const call = state.calls[indexOfCall(actorId)]
  const text = `The call crashed: ${errorText(error)}`
  return { result: errorResult(call?.id ?? actorId, call?.tool ?? actorId, text), stop: false, broke: true }
}

/** What the calls beside a settled one are told, or null when they may go on. */
export function siblingAbort(outcome: Pick<CallOutcome, 'stop' | 'broke'>): string | null {
  if (outcome.stop) return interruptedText
  return outcome.broke ? cancelledText : null
}

/** Nothing of the batch runs after this end, nor begins. */
export function isLast(state: LoopState, outcome: Pick<CallOutcome, 'stop' | 'broke'>): boolean {
  return state.running - (siblingAbort(outcome) === null ? 0 : waiting(state)) === 1
}

/** The next batch. What was allowed before the first one ran is judged again: the world may have changed since. */
export function advanced({ state }: AgentContext, intake: IntakeOutput): AgentStep {
  const batch = state.batch + 1
  const running = state.batches[batch]?.length ?? 0
  const calls = state.calls.map(({ allowed: _, ...call }) => call)
  const received = state.received || intake.received > 0
  return { state: { ...state, calls, batch, begun: 0, running, received }, facts: [] }
}

export function givenUp({ state }: AgentContext, { reason }: { reason: string }): AgentStep {
  const stopped = state.stopped ?? reason
  return withheld({ state: { ...state, stopped }, facts: [] }, stopped)
}

export function gathered({ card, state }: AgentContext): AgentStep {
  const lost = state.stopped ?? interruptedText
  const results = state.calls.map((call, index) => state.results[index] ?? errorResult(call.id, call.tool, lost))
  const holes = results.filter((_, index) => state.results[index] === undefined)
  const uses = state.calls.map(({ id, tool, input }) => ({ type: 'tool_use' as const, id, name: tool, input }))
  const signatures = [...state.signatures.slice(1 - remembered), signatureOf(uses, results)]
  const facts = [...holes.map(finishedUnrun), appended({ role: 'tool', results })]
  const limit = card.limits.turn_output
  const chars = limit === undefined ? 0 : resultChars(results)
  if (limit === undefined || chars <= limit) return { state: { ...state, signatures, toolsLast: true }, facts }
  const hints = [...state.hints, overflowText(chars, limit)]
  return {
    state: { ...state, signatures, toolsLast: true, hints },
    facts: [...facts, { type: 'turn.overflowed', turn: state.turn, chars, limit }],
  }
}

/** The next turn, named after what made it more than that. */
export function afterCalls(state: LoopState): Continue {
  const waited = state.steers.length > 0 ? 'steered' : 'next_turn'
  const heard = state.received ? 'mail' : waited
  const checked = state.refuted ? 'verify_failed' : heard
  return {
    reason: state.risen === 'now' ? 'escalated' : checked,
    messages: state.hints.map(runtimeSays),
    counts: true,
    parks: mayWait(state),
  }
}

/** What these calls began is worth waiting for; what went wrong has to be read first. */
export function mayWait(state: LoopState): boolean {
  return state.calls.every(({ tool }, index) => parking.has(tool) && state.results[index]?.is_error !== true)
}

/** What was read of the arguments otherwise than it was written. */
function coerced({ id, tool, coerced: changes }: CallDescription): readonly AgentFact[] {
  return changes === undefined ? [] : [{ type: 'call.coerced', call_id: id, tool, changes: [...changes] }]
}
