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
