import { errorResult, type ToolResult } from '../../src/protocol/conversation/message.ts'
import type { CallDescription } from '../../src/protocol/tools/tool.ts'
import type { AgentFact, LoopState, AgentStep } from './agent-state.ts'

/*
 * How the calls of a large batch begin: a wave at once, the next when the process has looked after everything else
 * in between (the port `breathe`). Nothing is capped: calls of a slow world all run after a moment. But where calls end
 * as fast as they begin only a few of a thousand are there at the same time, with their agents, connections and
 * garbage.
 */

/** So many begin in one step: what runs at a time by default, so that only who raised that limit has waves. */
const wave = 10

/** The child that a next wave waits for; it is there as long as not all have begun. */
export const breath = 'breath'

/** The calls of the batch that is on. */
export function batchOf(state: LoopState): readonly number[] {
  return state.batches[state.batch] ?? []
}

/**
 * A number, and nothing of the call: xstate remembers every name of a child that ever ended for as long as the process lives,
 * and copies the map of all children for each that comes or goes, which costs V8 twenty times as much under other names.
 */
export function childId(index: number): string {
  return String(index)
}

/** The place of the call whose actor this is. */
export function indexOfCall(childId: string): number {
  return Number(childId)
}

/** The calls that begin now, each with the id of its actor: the next of the batch, or all that are left. */
export function nextCalls(state: LoopState, all: boolean): readonly (readonly [string, CallDescription])[] {
  const to = all ? undefined : state.begun + wave
  return batchOf(state)
    .slice(state.begun, to)
    .flatMap((index) => {
      const call = state.calls[index]
      return call === undefined ? [] : [[childId(index), call] as const]
    })
}

/** Calls of the batch that have not begun. */
export function waiting(state: LoopState): number {
  return batchOf(state).length - state.begun
}

/** What has not begun does not begin any more: it is answered in these words. */
export function withheld({ state, facts }: AgentStep, reason: string): AgentStep {
  const left = batchOf(state).slice(state.begun)
  if (left.length === 0) return { state, facts }
  const answers = left.map((index) => [index, unrunResult(state.calls[index], reason)] as const)
  const results = { ...state.results, ...Object.fromEntries(answers) }
  return {
    state: { ...state, results, begun: batchOf(state).length, running: state.running - left.length },
    facts: [...facts, ...answers.map(([, result]) => finishedUnrun(result))],
  }
}

function unrunResult(call: CallDescription | undefined, reason: string): ToolResult {
  return errorResult(call?.id ?? '', call?.tool ?? '', reason)
}

/** A call that its actor did not finish is finished here. */
export function finishedUnrun(result: ToolResult): AgentFact {
  return { type: 'call.finished', call_id: result.call_id, tool: result.tool, is_error: true, duration_ms: 0 }
}
