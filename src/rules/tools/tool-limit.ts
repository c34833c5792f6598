import type { ToolResult } from '../../protocol/conversation/message.ts'
import type { GateOutput, Limited } from '../../protocol/port.ts'

/** How often a member may call a tool in a run, and what happens then. */
export interface ToolLimit {
  readonly calls: number
  readonly then: 'block' | 'steer'
}

export type ToolLimits = Readonly<Record<string, ToolLimit>>

/**
 * Judges the next call of a tool by its limit, after `made` calls. A call that is refused was none: it is not
 * counted. The model is told to stop once, with the first call over the limit.
 *
 * @example overLimit('WebFetch', { calls: 10, then: 'block' }, 10)?.verdict // 'block'
 */
export function overLimit(tool: string, limit: ToolLimit, made: number): (GateOutput & { limited: Limited }) | null {
  const { calls, then } = limit
  if (made < calls) return null
  if (then === 'block') {
    const used = `${tool} may be called ${times(calls)} in a run, and that is used up.`
    const message = `${calls === 0 ? `${tool} may not be called in this run.` : used} Go on without it.`
    return { verdict: 'block', message, limited: { limit: calls, then } }
  }
  const steer = `${tool} is meant to be called at most ${times(calls)} in a run, and that is passed. Come to an end without calling it again.`
  return { verdict: 'run', limited: { limit: calls, then, ...(made === calls ? { steer } : {}) } }
}

/**
 * Two limits on one tool: the smaller number counts, and refusing beats telling.
 *
 * @example narrowLimits({ Bash: { calls: 50, then: 'steer' } }, { Bash: { calls: 90, then: 'block' } })
 * // { Bash: { calls: 50, then: 'block' } }
 */
export function narrowLimits(outer: ToolLimits, inner: ToolLimits): ToolLimits {
  const tools = new Set([...Object.keys(outer), ...Object.keys(inner)])
  return Object.fromEntries([...tools].map((tool) => [tool, narrower(outer[tool], inner[tool])] as const))
}

const none: ToolLimit = { calls: Number.MAX_SAFE_INTEGER, then: 'steer' }

function narrower(outer: ToolLimit = none, inner: ToolLimit = none): ToolLimit {
  const then = outer.then === 'block' || inner.then === 'block' ? 'block' : 'steer'
  return { calls: Math.min(outer.calls, inner.calls), then }
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

/** The characters of text in all results of a turn; images do not count. */
export function resultChars(results: readonly ToolResult[]): number {
  const blocks = results.flatMap(({ content }) => content)
  return blocks.reduce((chars, block) => chars + (block.type === 'text' ? block.text.length : 0), 0)
}

/** The text for a model that read more in one turn than its limit. */
export function overflowText(chars: number, limit: number): string {
  const figures = `${chars.toLocaleString('en-US')} characters, where ${limit.toLocaleString('en-US')} are meant to be the most`
  return `The results of this turn were ${figures}. Write down what matters in them before you call more tools, and ask for less at a time.`
}
