import type { ModelRequest } from '../../../protocol/models/model.ts'
import type { ToolSpec } from '../../../protocol/tools/tool.ts'

/** OpenAI knows efforts only: a budget of thinking becomes the nearest. */
const byBudget = [
  [1, 'none'],
  [4_096, 'low'],
  [16_384, 'medium'],
] as const

/** How hard to think in OpenAI's words, or undefined when nothing was said about it. */
export function effortName({ effort, thinking_budget }: ModelRequest, withoutHighest: boolean): string | undefined {
  if (effort === 'max') return withoutHighest ? 'high' : 'xhigh'
  if (effort !== undefined || thinking_budget === undefined) return effort
  return byBudget.find(([below]) => thinking_budget < below)?.[1] ?? 'high'
}

/** The tool that an answer of a given shape is forced into, where a server knows no better way. */
export function forcedTool({ output }: ModelRequest): ToolSpec | undefined {
  return output === undefined
    ? undefined
    : {
        name: output.name,
        description: 'Gives the answer. Call it once, with the whole answer.',
        parameters: output.schema,
      }
}
