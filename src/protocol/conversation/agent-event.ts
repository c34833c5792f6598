import type { Failure } from './failure.ts'
import type { EventFrame, FactEvent } from '../facts/run-event.ts'
import type { ToolResult, Usage } from './message.ts'

/** Why the loop went round again. */
export const continueReasons = [
  'next_turn',
  'max_output_tokens_recovery',
  'auto_compact',
  'reactive_compact_retry',
  'stop_hook_blocking',
  'steered',
  'mail',
  'budget_continuation',
  'wind_down',
  'model_fallback',
  'escalated',
  'verify_failed',
  'no_answer',
] as const

/** Why the loop ended. */
export const terminalReasons = [
  'completed',
  'verified',
  'cut',
  'no_answer',
  'max_turns',
  'aborted_streaming',
  'aborted_tools',
  'stop_hook_prevented',
  'budget_exhausted',
  'diminishing_returns',
  'prompt_too_long',
  'loop_detected',
  'failed',
] as const

/** Ends at which the work is done, as far as the agent is concerned. */
export const orderlyReasons: readonly (typeof terminalReasons)[number][] = [
  'completed',
  'verified',
  'diminishing_returns',
]

export type ContinueReason = (typeof continueReasons)[number]
export type TerminalReason = (typeof terminalReasons)[number]

/**
 * Events for the caller of `agent.run()`, in order, each in the envelope that events of a team have, too. Every fact of the
 * agent's journal comes as `fact`: retries, compactions, waits for a permission, the budget, an escalation; those that a caller
 * mostly wants follow once more in a form of their own. Deltas and progress are coalesced when the caller is slow, and left
 * out when it is far behind; for every other event the agent waits. An agent that works for this one speaks with a `depth`
 * above 0.
 */
export type AgentEvent = EventFrame & AgentNews

/** An event without its envelope. */
export type AgentNews =
  | FactEvent
  | { readonly type: 'request.start'; readonly model: string }
  | { readonly type: 'text.delta'; readonly text: string }
  | { readonly type: 'thinking.delta'; readonly text: string }
  /** The deltas of this turn so far are void: the model is asked again. */
  | { readonly type: 'text.reset' }
  | { readonly type: 'tool.dispatch'; readonly call_id: string; readonly tool: string; readonly input: unknown }
  | {
      readonly type: 'tool.progress'
      readonly call_id: string
      readonly text: string
      /** Characters before this text that a slow reader did not get. */
      readonly left_out?: number
    }
  /** So many events were left out here: deltas for a reader far behind, or anything while nobody read. */
  | { readonly type: 'dropped'; readonly count: number }
  | { readonly type: 'tool.result'; readonly result: ToolResult }
  | { readonly type: 'turn.continued'; readonly reason: ContinueReason }
  | { readonly type: 'complete'; readonly reason: TerminalReason; readonly text: string; readonly usage: Usage }
  | { readonly type: 'error'; readonly failure: Failure }
