import { builtinTools } from '../adapters/tools/registry.ts'
import { toolSpec } from '../adapters/tools/tool-spec.ts'
import type { Tool } from '../protocol/tool.ts'
import type { TurnTools } from './surroundings.ts'

const byName = new Map(builtinTools.map((tool) => [tool.name, tool]))

/**
 * Tool sets by the names granted for a turn, each made once so that the same names always give the very same
 * object: providers cache the translation of a tool list by its identity.
 */
export function turnToolSets(
  absence: (name: string) => string | null = () => null,
  extra: readonly Tool[] = [],
): (names: readonly string[]) => TurnTools {
  const made = new Map<string, TurnTools>()
  const known = new Map([...byName, ...extra.map((tool) => [tool.name, tool] as const)])
  return (names) => {
    const key = names.join(' ')
    const before = made.get(key)
    if (before) return before
    const tools = names.flatMap((name) => known.get(name) ?? [])
    const set: TurnTools = {
      tools: new Map(tools.map((tool) => [tool.name, tool])),
      specs: tools.map(toolSpec),
      absence,
    }
    made.set(key, set)
    return set
  }
}
