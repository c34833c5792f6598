import { builtinTools } from '../../adapters/tools/registry.ts'
import { toolSpec } from '../../adapters/tools/define/define-tool.ts'
import type { Tool, ToolEffect } from '../../protocol/tools/tool.ts'

/** A tool as a list shows it. */
export interface ListedTool {
  readonly name: string
  readonly aliases: readonly string[]
  readonly description: string
  readonly effect: ToolEffect
}

/** The full description of a tool, before any call. */
export interface DescribedTool extends ListedTool {
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly interrupt: 'block' | 'cancel'
  readonly requires_interaction: boolean
  readonly deferred: boolean
  /** Null where the tool sets no limit of its own. */
  readonly timeout_ms: number | null
  readonly max_result_chars: number | null
}

/** `listTools().map(({ name }) => name)`: the tools that come with the project, or the given ones. */
export function listTools(tools: readonly Tool[] = builtinTools): readonly ListedTool[] {
  return tools.map(listed)
}

/** The description of a tool for a model and a dispatcher: `describeTool(read)`. */
export function describeTool(tool: Tool): DescribedTool {
  const { interrupt, requiresInteraction, defer, timeout, maxResultChars } = tool
  return {
    ...listed(tool),
    parameters: toolSpec(tool).parameters,
    interrupt,
    requires_interaction: requiresInteraction,
    deferred: defer,
    timeout_ms: timeout,
    max_result_chars: Number.isFinite(maxResultChars) ? maxResultChars : null,
  }
}

function listed({ name, aliases, description, effect }: Tool): ListedTool {
  return { name, aliases, description, effect }
}
