import type { BeginningRun, Middleware } from '../../protocol/middleware.ts'
import type { Tool } from '../../protocol/tools/tool.ts'
import { openOnion, type Onion } from './onion.ts'

/** The middleware of one run, and what it adds to that run. */
export interface Layers {
  readonly onion: Onion | null
  readonly tools: readonly Tool[]
  /** Words behind the system prompt. */
  readonly system: readonly string[]
}

/** Composes the middleware of a run and tells it that the run begins. */
export async function openLayers(middleware: readonly Middleware[], run: BeginningRun): Promise<Layers> {
  const onion = openOnion(middleware)
  const added = (await onion?.begin(run)) ?? []
  return {
    onion,
    tools: added.flatMap(({ tools = [] }) => tools),
    system: added.flatMap(({ system }) => (system === undefined ? [] : [system])),
  }
}

interface Absent {
  absence(name: string): string | null
}

interface Layerable<Turn> {
  readonly system: string
  turnTools(): Turn
}

/** The dependencies of an agent with the middleware of a run around them. */
export function layered<Turn extends Absent, Deps extends Layerable<Turn>>(
  deps: Deps,
  { onion, system }: Layers,
): Deps {
  if (onion === null) return deps
  const known = new WeakMap<Turn, Turn>()
  const turnTools = (): Turn => {
    const from = deps.turnTools()
    const made = known.get(from) ?? { ...from, absence: (name: string) => onion.unknown(name) ?? from.absence(name) }
    known.set(from, made)
    return made
  }
  return { ...deps, onion, turnTools, system: [deps.system, ...system].filter((text) => text !== '').join('\n\n') }
}
