import { failure, type Failure, type FailureCode } from '../../../protocol/conversation/failure.ts'
import type { StopReason } from '../../../protocol/conversation/message.ts'

const endings: readonly (readonly [RegExp, StopReason])[] = [
  [/^(stop|end_turn|stop_sequence)$/, 'end'],
  [/^(pause_turn|compaction)$/, 'pause'],
  [/^(tool_calls|function_call|tool_use)$/, 'tools'],
  [/length|max_(output_)?tokens|context_window/, 'max_tokens'],
  [/content_filter|refusal|safety|sensitive|prohibited|blocklist|recitation/, 'refusal'],
]

/** Reasons to stop that are failures: those of OpenRouter, Zhipu and relays, of vLLM, of Gemini, of DeepSeek. */
const faults: readonly (readonly [RegExp, FailureCode, string])[] = [
  [/(^|_)error(_|$)/, 'server_error', 'the provider ended its answer with an error'],
  [/^abort$/, 'stream_broken', 'the server gave its answer up'],
  [/malformed_function_call|^function_call_filter/, 'stream_broken', 'the model wrote a tool call that cannot be read'],
  [/insufficient_system_resource/, 'overloaded', 'the server ran out of resources'],
]

/**
 * The stop reason that a server means. Gateways pass on the words of the vendor behind them, in his letters.
 * `stopReasonOf('MAX_TOKENS')` → `max_tokens`; undefined for an unknown reason.
 */
export function stopReasonOf(reason: string): StopReason | undefined {
  const word = reason.toLowerCase()
  return endings.find(([pattern]) => pattern.test(word))?.[1]
}

/** The failure that a reason to stop stands for, if it does. */
export function faultOf(reason: string): Failure | undefined {
  const word = reason.toLowerCase()
  const [, code, message] = faults.find(([pattern]) => pattern.test(word)) ?? []
  return code === undefined ? undefined : failure(code, message ?? reason)
}
