import { builtinTools } from '../adapters/tools/registry.ts'
import type { ToolEffect } from '../protocol/tool.ts'

/** A built-in tool as a list shows it. */
export interface ListedTool {
  readonly name: string
  readonly aliases: readonly string[]
  readonly description: string
  readonly effect: ToolEffect
}

/** The tools that come with the project: `listTools().map(({ name }) => name)`. */
export function listTools(): readonly ListedTool[] {
  return builtinTools.map(({ name, aliases, description, effect }) => ({
    name,
    aliases,
    description,
    effect,
  }))
}
