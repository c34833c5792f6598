import type { ToolRetry } from '../../protocol/tools/tool.ts'

const firstPauseMs = 500
const longestPauseMs = 30_000

/**
 * How long to wait before a tool is tried again after `attempt` failures that pass, or null when it is not.
 *
 * @example toolPause({ times: 2, pauseMs: 100 }, 2) // 200
 */
export function toolPause(retry: ToolRetry | null, attempt: number): number | null {
  if (retry === null || attempt > retry.times) return null
  return Math.min((retry.pauseMs ?? firstPauseMs) * 2 ** (attempt - 1), longestPauseMs)
}
