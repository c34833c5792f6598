import type { Failure } from './failure.ts'
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
 * Events for the caller of `agent.run()`, in order. Deltas and progress are coalesced when the caller is slow, and left out
 * when it is far behind; for every other event the agent waits.
 */
export type AgentEvent =
  | { readonly type: 'request.start'; readonly turn: number; readonly model: string }
  | { readonly type: 'text.delta'; readonly turn: number; readonly text: string }
  | { readonly type: 'thinking.delta'; readonly turn: number; readonly text: string }
  /** The deltas of this turn so far are void: the model is asked again. */
  | { readonly type: 'text.reset'; readonly turn: number }
  | {
      readonly type: 'tool.dispatch'
      readonly turn: number
      readonly call_id: string
      readonly tool: string
      readonly input: unknown
    }
  | {
      readonly type: 'tool.progress'
      readonly turn: number
      readonly call_id: string
      readonly text: string
      /** Characters before this text that a slow reader did not get. */
      readonly left_out?: number
    }
  /** So many events were left out here: deltas for a reader far behind, or anything while nobody read. */
  | { readonly type: 'dropped'; readonly turn: number; readonly count: number }
  | { readonly type: 'tool.result'; readonly turn: number; readonly result: ToolResult }
  | { readonly type: 'turn.continued'; readonly turn: number; readonly reason: ContinueReason }
  | {
      readonly type: 'complete'
      readonly turn: number
      readonly reason: TerminalReason
      readonly text: string
      readonly usage: Usage
    }
  | { readonly type: 'error'; readonly turn: number; readonly failure: Failure }
