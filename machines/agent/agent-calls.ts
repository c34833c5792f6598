import type { DoneActorEvent, ErrorActorEvent } from 'xstate'
import type { ContinueReason } from '../../src/protocol/conversation/agent-event.ts'
import { errorText } from '../../src/protocol/words/error-text.ts'
import { endingOf, errorResult, skippedResult, type ToolResult } from '../../src/protocol/conversation/message.ts'
import type { IntakeOutput } from '../../src/protocol/port.ts'
import type { CallDescription, CallOutcome } from '../../src/protocol/tools/tool.ts'
import { cutText } from '../../src/rules/conversation/cut-answer.ts'
import { clumsyTurns } from '../../src/rules/conversation/escalation.ts'
import { turnsText } from '../../src/rules/team/wind-down-text.ts'
import { overflowText, resultChars } from '../../src/rules/tools/tool-limit.ts'
import { marksAfter, standstillOf, standstillText } from '../../src/rules/conversation/stuck-loop.ts'
import {
  appended,
  type AgentContext,
  type AgentFact,
  type Continue,
  type LoopState,
  type AgentStep,
} from './agent-state.ts'
import { interruptedText, runtimeSays, settled, type Settled } from './agent-steps.ts'

/*
 * The pure transitions of acting: calls in batches, results by index, one tool message at the end.
 * 1. Every call gets exactly one result; `gathered` fills the holes that giving up leaves.
 * 2. Results stand in the order of the calls, whatever order they came in.
 * 3. A tool that broke off (an exception, its deadline) cancels the calls beside it in its own batch; an error
 *    it answered with ("no such file") does not: several guesses side by side are a normal way to look around.
 * 4. Abort is passed to the running calls and their ends are awaited; calls that never ran are answered here.
 *    So is a person's "stop" to one call: the others of that message are given up with it.
 * 5. A new message (a steer, mail that does not wait) skips the calls that have not begun; the agent goes on with it.
 */

const cancelledText = 'Cancelled: a parallel call failed'

export const unreadText = 'Not run: the inbox could not be read.'

/** The tools whose calls let a lead wait instead of asking the model again: their results come by mail. */
const parking: ReadonlySet<string> = new Set(['Delegate', 'SendMessage', 'Wait'])

/** The tools with which a member finishes explicitly: no text has to follow. */
const finishing: ReadonlySet<string> = new Set(['Report', 'Answer'])

/** The end of a call; one whose actor was lost has not been finished by anybody. */
interface CallEnd {
  readonly actorId: string
  readonly outcome: CallOutcome
  readonly lost: boolean
}

/** The answer is kept and its calls are put in batches, the first of which starts now. */
export function dispatched(context: AgentContext, answer: Settled): AgentStep {
  const { card } = context
  const { state, facts } = settled(context, answer)
  const batches = toolBatches(state.calls, card.limits.parallel_calls)
  const running = batches[0]?.length ?? 0
  // The proof holds until something may have changed.
  const verified = state.verified && !state.calls.some(({ changes }) => changes === true)
  const clumsy = card.escalate === undefined ? 0 : clumsyTurns(state.clumsy, state.calls)
  const lost = answer.message.cut_call === undefined ? [] : [cutText(answer.message)]
  const fresh = { results: {}, received: false, skips: false, hints: lost, stopped: null }
  return {
    state: { ...state, batches, batch: 0, running, verified, clumsy, ...fresh },
    facts: [...facts, ...state.calls.flatMap(coerced)],
  }
}

/**
 * The calls of the current batch that have no result yet, each with the id of its actor: its index, as an id may come
 * twice.
 */
export function pendingCalls(state: LoopState): readonly (readonly [string, CallDescription])[] {
  const batch = state.batches[state.batch] ?? []
  return batch.flatMap((index) => {
    const call = state.calls[index]
    return call === undefined || state.results[index] !== undefined ? [] : [[String(index), call] as const]
  })
}

/** The end of a call, also of one whose actor failed: that is a fault of ours, and the model is told all the same. */
export function callEnd(state: LoopState, event: DoneActorEvent<CallOutcome> | ErrorActorEvent): CallEnd {
  const { actorId } = event
  if ('output' in event) return { actorId, outcome: event.output, lost: false }
  const call = state.calls[Number(actorId)]
  const text = `The call crashed: ${errorText(event.error)}`
  const result = errorResult(call?.id ?? actorId, call?.tool ?? actorId, text)
  return { actorId, outcome: { result, stop: false, broke: true }, lost: true }
}

/** A call has ended: its result is kept. */
export function collected(state: LoopState, { actorId, outcome, lost }: CallEnd): AgentStep {
  return {
    state: {
      ...state,
      results: { ...state.results, [actorId]: outcome.result },
      running: state.running - 1,
      hints: outcome.steer === undefined ? state.hints : [...state.hints, outcome.steer],
      stopped: outcome.stop ? (state.stopped ?? interruptedText) : state.stopped,
    },
    facts: lost ? [finishedUnrun(outcome.result)] : [],
  }
}

/** The words that cancel the calls beside one that ended so, or null when they may go on. */
export function siblingAbort(outcome: Pick<CallOutcome, 'stop' | 'broke'>): string | null {
  if (outcome.stop) return interruptedText
  return outcome.broke ? cancelledText : null
}

/**
 * The next batch. Calls that were allowed before the first one ran are judged again: the disk may have changed since.
 */
export function advanced({ state }: AgentContext, intake: IntakeOutput): AgentStep {
  const batch = state.batch + 1
  const running = state.batches[batch]?.length ?? 0
  const calls = state.calls.map(({ allowed: _, ...call }) => call)
  const received = state.received || intake.received > 0
  return { state: { ...state, calls, batch, running, received }, facts: [] }
}

/** A new message came: no further call of this answer begins. */
export function skipping({ state }: AgentContext): AgentStep {
  return { state: { ...state, skips: true }, facts: [] }
}

/** The inbox was read and no further batch follows. */
export function halted({ state }: AgentContext, intake: IntakeOutput): AgentStep {
  return { state: { ...state, received: state.received || intake.received > 0 }, facts: [] }
}

export function givenUp({ state }: AgentContext, reason: string): AgentStep {
  return { state: { ...state, stopped: state.stopped ?? reason }, facts: [] }
}

export function gathered({ card, state }: AgentContext): AgentStep {
  const { skips, stopped } = state
  const unrun = ({ id, tool }: CallDescription): ToolResult =>
    skips && stopped === null ? skippedResult(id, tool) : errorResult(id, tool, stopped ?? interruptedText)
  const results = state.calls.map((call, index) => state.results[index] ?? unrun(call))
  const holes = results.filter((_, index) => state.results[index] === undefined)
  const { stuck } = card.limits
  const used = { ...state.used }
  for (const { tool } of results) used[tool] = (used[tool] ?? 0) + 1
  const marks = marksAfter(state.marks, { calls: state.calls, results }, stuck)
  const warning = standstillText(standstillOf(marks, stuck))
  const told =
    warning === null ? results : [...results.slice(0, -1), ...results.slice(-1).map((last) => withText(last, warning))]
  const facts = [...holes.map(finishedUnrun), appended({ role: 'tool', results: told })]
  const shrunk = state.shrunk === 'answered' ? 'no' : state.shrunk
  const limit = card.limits.turn_output
  const chars = limit === undefined ? 0 : resultChars(results)
  if (limit === undefined || chars <= limit) return { state: { ...state, marks, used, shrunk }, facts }
  const hints = [...state.hints, overflowText(chars, limit)]
  return {
    state: { ...state, marks, used, hints, shrunk },
    facts: [...facts, { type: 'turn.overflowed', turn: state.turn, chars, limit }],
  }
}

function withText(result: ToolResult, text: string): ToolResult {
  return { ...result, content: [...result.content, { type: 'text', text }] }
}

/** The reason for the turn after these calls: mail that came meanwhile, words of a person, or the calls themselves. */
export function reasonToGoOn(state: LoopState): ContinueReason {
  if (state.received) return 'mail'
  return state.steers.length > 0 ? 'steered' : 'next_turn'
}

export function afterCalls({ card, state }: AgentContext, reason: ContinueReason): Continue {
  const { max_turns } = card.limits
  const told = [...state.hints, turnsText(max_turns - state.turn, max_turns) ?? []].flat()
  return { reason, messages: told.map(runtimeSays), counts: true, parks: mayWait(state) }
}

/** The calls only began work of others and none failed: their results are worth waiting for. */
export function mayWait(state: LoopState): boolean {
  return state.calls.every(({ tool }, index) => parking.has(tool) && state.results[index]?.is_error !== true)
}

/** The member has finished with one of the calls, and none of them leaves anything to be read. */
export function hasReported({ calls, results }: LoopState): boolean {
  const isFine = calls.every((_, index) => results[index]?.is_error === false)
  return isFine && calls.some(({ tool }) => finishing.has(tool))
}

/** The changes that made the arguments fit the shape of the tool. */
function coerced({ id, tool, coerced: changes }: CallDescription): readonly AgentFact[] {
  return changes === undefined ? [] : [{ type: 'call.coerced', call_id: id, tool, changes: [...changes] }]
}

/** A call that its actor did not finish is finished here. */
function finishedUnrun(result: ToolResult): AgentFact {
  return { type: 'call.finished', call_id: result.call_id, tool: result.tool, ...endingOf(result), duration_ms: 0 }
}

/**
 * Splits one message's calls into batches to run one after another: neighbouring safe calls together,
 * at most `cap` of them, an unsafe call alone. Order is kept; nothing is merged across an unsafe call.
 *
 * @returns Batches of indexes into `calls`, in source order.
 * @example toolBatches([{ safe: true }, { safe: true }, { safe: false }]) // [[0, 1], [2]]
 */
export function toolBatches(calls: readonly { readonly safe: boolean }[], cap = 10): readonly (readonly number[])[] {
  const batches: number[][] = []
  let open: number[] | null = null
  for (const [index, call] of calls.entries()) {
    if (call.safe && open !== null && open.length < cap) {
      open.push(index)
      continue
    }
    const batch = [index]
    batches.push(batch)
    open = call.safe ? batch : null
  }
  return batches
}
