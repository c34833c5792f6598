import { builtinTools } from '../../adapters/tools/registry.ts'
import { toolSearchOver } from '../../adapters/tools/tool-search.ts'
import { toolSpec } from '../../adapters/tools/define/define-tool.ts'
import type { Tool } from '../../protocol/tools/tool.ts'
import type { TurnTools } from './agent-deps.ts'

const byName = new Map(builtinTools.map((tool) => [tool.name, tool]))

/** The tools of a turn by the names granted for it, and the deferred ones among them that were looked up. */
export type ToolSets = (names: readonly string[], loaded?: ReadonlySet<string>) => TurnTools

/**
 * Tool sets by the names granted for a turn, each made once so that the same names always give the very same
 * object: providers cache the translation of a tool list by its identity. Deferred tools are left out until they are
 * among the `loaded` ones; then they come last, so that the list before them stays as it was.
 */
export function turnToolSets(
  absence: (name: string) => string | null = () => null,
  extra: readonly Tool[] = [],
): ToolSets {
  const made = new Map<string, TurnTools>()
  const known = new Map([...byName, ...extra.map((tool) => [tool.name, tool] as const)])
  return (names, loaded = new Set()) => {
    const key = [...names, '', ...loaded].join(' ')
    const before = made.get(key)
    if (before) return before
    const tools = names.flatMap((name) => known.get(name) ?? [])
    const deferred = tools.filter(({ defer }) => defer)
    const shown = [
      ...tools.filter(({ defer }) => !defer),
      ...(deferred.length > 0 ? [toolSearchOver(deferred)] : []),
      ...[...loaded].flatMap((name) => deferred.find((tool) => tool.name === name) ?? []),
    ]
    const hidden = new Set(deferred.map(({ name }) => name).filter((name) => !loaded.has(name)))
    const set: TurnTools = {
      tools: new Map(shown.map((tool) => [tool.name, tool])),
      specs: shown.map(toolSpec),
      absence,
      deferral: (name) =>
        hidden.has(name) ? `${name} is not loaded yet: call ToolSearch with names ["${name}"] first.` : null,
    }
    made.set(key, set)
    return set
  }
}
