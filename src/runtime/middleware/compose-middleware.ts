import type { AssistantMessage } from '../../protocol/conversation/message.ts'
import type {
  BeginningRun,
  FinishedRun,
  Middleware,
  RunAddition,
  SeenCall,
  TurnMoment,
} from '../../protocol/middleware.ts'
import type { ModelRequest } from '../../protocol/models/model.ts'
import type { ToolOutput } from '../../protocol/tools/tool.ts'
import { errorText } from '../../protocol/words/error-text.ts'

type CallMoment = Pick<TurnMoment, 'agent' | 'signal'>

/** The middleware of one run as one. */
export interface ComposedMiddleware {
  /** Additions of all, the outermost first. */
  begin(run: BeginningRun): Promise<readonly RunAddition[]>
  ask(
    request: ModelRequest,
    model: (request: ModelRequest) => Promise<AssistantMessage>,
    moment: TurnMoment,
  ): Promise<AssistantMessage>
  /** The name of the middleware that refuses the call, and why; a result that a gate gives is kept for it. Null when it may go on. */
  gate(call: SeenCall, moment: CallMoment): Promise<{ readonly by: string; readonly reason: string } | null>
  call(call: SeenCall, run: () => Promise<ToolOutput>, moment: CallMoment): Promise<ToolOutput>
  unknown(name: string): string | null
  end(run: FinishedRun): Promise<void>
}

/** Middleware threw; the message names which, and in which of its parts. */
export class MiddlewareBroke extends Error {
  override readonly name = 'MiddlewareBroke'
}

/**
 * Composes middleware; null where there is none, so that a run without any pays nothing.
 *
 * @param all the outermost first: that of the run, then of the agent, then of its team
 * @example composeMiddleware([...ofRun, ...ofAgent])?.call(call, run, moment)
 */
export function composeMiddleware(all: readonly Middleware[]): ComposedMiddleware | null {
  if (all.length === 0) return null
  const given = new Map<string, ToolOutput>()
  return {
    begin: (run) => begun(all, run),
    ask: (request, model, moment) => asked(all, { request, model }, moment),
    gate: (call, moment) => gated(all, { call, given }, moment),
    call(call, run, moment) {
      const result = given.get(call.id)
      given.delete(call.id)
      const innermost = result === undefined ? run : () => Promise.resolve(result)
      return wrapped({ all, part: 'wrapToolCall' }, innermost, (each, next) =>
        each.wrapToolCall?.(call, next, moment),
      )()
    },
    unknown(name) {
      for (const each of all) {
        const told = each.unknownTool?.(name)
        if (told !== undefined) return told
      }
      return null
    },
    async end(run) {
      for (const each of all.toReversed()) await named(each, 'afterAgent', () => each.afterAgent?.(run))
    },
  }
}

type Part = Exclude<keyof Middleware, 'name'>

/** Acts, and names the middleware in what it throws. */
async function named<Value>({ name }: Middleware, part: Part, act: () => Promise<Value> | Value): Promise<Value> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof MiddlewareBroke) throw error
    throw new MiddlewareBroke(`middleware ${name} broke in ${part}: ${errorText(error)}`, { cause: error })
  }
}

/**
 * Puts middleware around something, the first outermost. What comes from the inside is thrown on as it is.
 * @param around undefined for middleware that does not stand around this
 */
function wrapped<Args extends readonly unknown[], Value>(
  { all, part }: { readonly all: readonly Middleware[]; readonly part: Part },
  innermost: (...args: Args) => Promise<Value>,
  around: (each: Middleware, next: (...args: Args) => Promise<Value>, args: Args) => Promise<Value> | undefined,
): (...args: Args) => Promise<Value> {
  return all.toReversed().reduce<(...args: Args) => Promise<Value>>((inner, each) => {
    if (each[part] === undefined) return inner
    return async (...args) => {
      const fromInside = new Set<unknown>()
      const next = (...given: Args): Promise<Value> =>
        inner(...given).catch((error: unknown) => {
          fromInside.add(error)
          throw error
        })
      try {
        return await (around(each, next, args) ?? inner(...args))
      } catch (error) {
        if (fromInside.has(error)) throw error
        return named(each, part, () => Promise.reject(error as Error))
      }
    }
  }, innermost)
}

async function begun(all: readonly Middleware[], run: BeginningRun): Promise<readonly RunAddition[]> {
  const additions: RunAddition[] = []
  for (const each of all) {
    const addition = await named(each, 'beforeAgent', () => each.beforeAgent?.(run))
    if (addition !== undefined) additions.push(addition)
  }
  return additions
}

interface Asked {
  readonly request: ModelRequest
  readonly model: (request: ModelRequest) => Promise<AssistantMessage>
}

async function asked(
  all: readonly Middleware[],
  { request, model }: Asked,
  moment: TurnMoment,
): Promise<AssistantMessage> {
  let changed = request
  for (const each of all)
    changed = (await named(each, 'modifyRequest', () => each.modifyRequest?.(changed, moment))) ?? changed
  const ask = wrapped({ all, part: 'wrapModelCall' }, model, (each, next, [wish]) =>
    each.wrapModelCall?.(wish, next, moment),
  )
  let message = await ask(changed)
  for (const each of all.toReversed())
    message = (await named(each, 'postSampling', () => each.postSampling?.(message, moment))) ?? message
  return message
}

interface Gated {
  readonly call: SeenCall
  /** Results that gates gave, by call. */
  readonly given: Map<string, ToolOutput>
}

async function gated(
  all: readonly Middleware[],
  { call, given }: Gated,
  moment: CallMoment,
): ReturnType<ComposedMiddleware['gate']> {
  let result: ToolOutput | undefined
  // A server may use an id again.
  given.delete(call.id)
  for (const each of all) {
    const word = await named(each, 'gateToolCall', () => each.gateToolCall?.(call, moment))
    if (word === undefined) continue
    if ('block' in word) return { by: each.name, reason: word.block }
    result ??= word.result
  }
  if (result !== undefined) given.set(call.id, result)
  return null
}
