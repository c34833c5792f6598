import type { BeginningRun, Middleware } from '../../protocol/middleware.ts'
import type { Tool } from '../../protocol/tools/tool.ts'
import { composeMiddleware, type ComposedMiddleware } from './compose-middleware.ts'

/** The middleware of one run, and what it adds to that run. */
export interface RunMiddleware {
  readonly middleware: ComposedMiddleware | null
  readonly tools: readonly Tool[]
  /** Words behind the system prompt. */
  readonly system: readonly string[]
}

/** Composes the middleware of a run and tells it that the run begins. */
export async function openMiddleware(all: readonly Middleware[], run: BeginningRun): Promise<RunMiddleware> {
  const middleware = composeMiddleware(all)
  const added = (await middleware?.begin(run)) ?? []
  return {
    middleware,
    tools: added.flatMap(({ tools = [] }) => tools),
    system: added.flatMap(({ system }) => (system === undefined ? [] : [system])),
  }
}

interface Absent {
  absence(name: string): string | null
}

interface Wrappable<Turn> {
  readonly system: string
  turnTools(): Turn
}

/** The dependencies of an agent with middleware around them; the same where there is none. */
export function withMiddleware<Turn extends Absent, Deps extends Wrappable<Turn>>(
  deps: Deps,
  { middleware, system }: Pick<RunMiddleware, 'middleware' | 'system'>,
): Deps {
  if (middleware === null) return deps
  const known = new WeakMap<Turn, Turn>()
  const turnTools = (): Turn => {
    const from = deps.turnTools()
    const made = known.get(from) ?? {
      ...from,
      absence: (name: string) => middleware.unknown(name) ?? from.absence(name),
    }
    known.set(from, made)
    return made
  }
  return { ...deps, middleware, turnTools, system: [deps.system, ...system].filter((text) => text !== '').join('\n\n') }
}
