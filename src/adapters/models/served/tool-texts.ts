import type { ToolSpec } from '../../../protocol/tools/tool.ts'
import { wellFormed } from './history.ts'

/**
 * Tools as they stand in requests, joined by commas. Each is written once, however many agents have it.
 *
 * @param spelled a tool as one vendor wants it
 */
export function toolTexts(spelled: (tool: ToolSpec) => unknown): (tools: readonly ToolSpec[]) => string {
  const known = new WeakMap<ToolSpec, string>()
  const textOf = (tool: ToolSpec): string => {
    const text = known.get(tool) ?? wellFormed(spelled(tool))
    known.set(tool, text)
    return text
  }
  return (tools) => tools.map(textOf).join(',')
}
