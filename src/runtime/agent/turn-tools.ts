import { builtinTools } from '../../adapters/tools/registry.ts'
import { toolSearchOver } from '../../adapters/tools/tool-search.ts'
import { toolSpec } from '../../adapters/tools/define/define-tool.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import type { Tool } from '../../protocol/tools/tool.ts'
import type { TurnTools } from './agent-deps.ts'
import { noForeignTools, type ForeignTools } from './foreign-tools.ts'

const byName = new Map(builtinTools.map((tool) => [tool.name, tool]))

/**
 * The tools of a turn by the names granted for it, and the deferred ones among them that were looked up. Foreign tools
 * are there already: whoever gives them has looked at what was granted.
 */
export type ToolSets = (names: readonly string[], loaded?: ReadonlySet<string>, more?: MoreTools) => TurnTools

/** Tools from elsewhere, and the word of a card on which tools are shown late. */
interface MoreTools {
  readonly foreign?: ForeignTools | undefined
  readonly disclosure?: Disclosure | undefined
}

/** Which tools of a member are shown late, as its card has it. */
export type Disclosure = Pick<MemberCard, 'tools' | 'defer_tools' | 'always_load'>

/**
 * Tool sets by the names granted for a turn, each made once so that the same names always give the very same
 * object: providers cache the translation of a tool list by its identity. Deferred tools are left out until they are
 * among the `loaded` ones; then they come last, so that the list before them stays as it was.
 */
export function turnToolSets(
  absence: (name: string) => string | null = () => null,
  extra: readonly Tool[] = [],
): ToolSets {
  const sets = new WeakMap<ForeignTools, Map<string, TurnTools>>()
  const known = new Map([...byName, ...extra.map((tool) => [tool.name, tool] as const)])
  return (names, loaded = new Set(), { foreign = noForeignTools, disclosure } = {}) => {
    const made = sets.get(foreign) ?? new Map<string, TurnTools>()
    sets.set(foreign, made)
    const key = [...names, '', ...loaded, '', disclosureKey(disclosure)].join(' ')
    const before = made.get(key)
    if (before) return before
    const tools = disclosed([...names.flatMap((name) => known.get(name) ?? []), ...foreign.tools], disclosure)
    const set = turnSet(tools, loaded, { foreign, absence })
    made.set(key, set)
    return set
  }
}

function disclosureKey(disclosure: Disclosure | undefined): string {
  const { defer_tools, always_load } = disclosure ?? {}
  return defer_tools === undefined && always_load === undefined ? '' : JSON.stringify([defer_tools, always_load])
}

/** Tools with the word of a card on which of them are shown late; the tools of coordination are always there. */
function disclosed(tools: readonly Tool[], disclosure: Disclosure | undefined): readonly Tool[] {
  const { defer_tools: late = false, always_load: shown = [], tools: given = [] } = disclosure ?? {}
  if (late === false && shown.length === 0) return tools
  const isLate = (name: string): boolean =>
    late === true ? given.includes(name) : late !== false && late.includes(name)
  return tools.map((tool): Tool => {
    const defer = !shown.includes(tool.name) && (tool.defer || isLate(tool.name))
    return defer === tool.defer ? tool : { ...tool, defer }
  })
}

interface Surroundings {
  readonly foreign: ForeignTools
  readonly absence: (name: string) => string | null
}

function turnSet(tools: readonly Tool[], loaded: ReadonlySet<string>, { foreign, absence }: Surroundings): TurnTools {
  const deferred = tools.filter(({ defer }) => defer)
  const later = new Map(deferred.map((tool) => [tool.name, tool]))
  const searches = deferred.length > 0 || foreign.pending.length > 0
  const shown = [
    ...tools.filter(({ defer }) => !defer),
    ...(searches ? [toolSearchOver(deferred, foreign)] : []),
    ...[...loaded].flatMap((name) => later.get(name) ?? []),
  ]
  return {
    tools: new Map(shown.map((tool) => [tool.name, tool])),
    specs: shown.map(toolSpec),
    absence,
    deferral: (name) =>
      later.has(name) && !loaded.has(name)
        ? `${name} is not loaded yet: call ToolSearch with names ["${name}"] first.`
        : null,
  }
}
