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

type CallMoment = Pick<TurnMoment, 'agent' | 'signal'>

/** The layers of one run, composed. */
export interface Onion {
  /** Additions of all layers, the outermost first. */
  begin(run: BeginningRun): Promise<readonly RunAddition[]>
  ask(
    request: ModelRequest,
    model: (request: ModelRequest) => Promise<AssistantMessage>,
    moment: TurnMoment,
  ): Promise<AssistantMessage>
  /** Why the call does not run; a result that a gate gives is kept for it. Null when it may go on. */
  gate(call: SeenCall, moment: CallMoment): Promise<string | null>
  call(call: SeenCall, run: () => Promise<ToolOutput>, moment: CallMoment): Promise<ToolOutput>
  unknown(name: string): string | null
  end(run: FinishedRun): Promise<void>
}

/**
 * Composes middleware; null where there is none, so that a run without any pays nothing.
 *
 * @param layers the outermost first: those of the run, then of the agent
 * @example openOnion([...ofRun, ...ofAgent])?.call(call, run, moment)
 */
export function openOnion(layers: readonly Middleware[]): Onion | null {
  if (layers.length === 0) return null
  const given = new Map<string, ToolOutput>()
  return {
    begin: (run) => begun(layers, run),
    ask: (request, model, moment) => asked(layers, { request, model }, moment),
    gate: (call, moment) => gated(layers, { call, given }, moment),
    call(call, run, moment) {
      const result = given.get(call.id)
      given.delete(call.id)
      const innermost = result === undefined ? run : () => Promise.resolve(result)
      return called(layers, { call, run: innermost }, moment)
    },
    unknown(name) {
      for (const layer of layers) {
        const told = layer.unknownTool?.(name)
        if (told !== undefined) return told
      }
      return null
    },
    async end(run) {
      for (const layer of layers.toReversed()) await layer.afterAgent?.(run)
    },
  }
}

async function begun(layers: readonly Middleware[], run: BeginningRun): Promise<readonly RunAddition[]> {
  const additions: RunAddition[] = []
  for (const layer of layers) {
    const addition = await layer.beforeAgent?.(run)
    if (addition !== undefined) additions.push(addition)
  }
  return additions
}

interface Asked {
  readonly request: ModelRequest
  readonly model: (request: ModelRequest) => Promise<AssistantMessage>
}

async function asked(
  layers: readonly Middleware[],
  { request, model }: Asked,
  moment: TurnMoment,
): Promise<AssistantMessage> {
  let changed = request
  for (const layer of layers) changed = (await layer.modifyRequest?.(changed, moment)) ?? changed
  const inward = layers.toReversed()
  let call = model
  for (const layer of inward) {
    const next = call
    if (layer.wrapModelCall) call = (wish) => layer.wrapModelCall?.(wish, next, moment) ?? next(wish)
  }
  let message = await call(changed)
  for (const layer of inward) message = (await layer.postSampling?.(message, moment)) ?? message
  return message
}

interface Gated {
  readonly call: SeenCall
  /** Results that gates gave, by call. */
  readonly given: Map<string, ToolOutput>
}

async function gated(
  layers: readonly Middleware[],
  { call, given }: Gated,
  moment: CallMoment,
): Promise<string | null> {
  let result: ToolOutput | undefined
  // A server may use an id again.
  given.delete(call.id)
  for (const layer of layers) {
    const word = await layer.gateToolCall?.(call, moment)
    if (word === undefined) continue
    if ('block' in word) return word.block
    result ??= word.result
  }
  if (result !== undefined) given.set(call.id, result)
  return null
}

interface Called {
  readonly call: SeenCall
  readonly run: () => Promise<ToolOutput>
}

function called(layers: readonly Middleware[], { call, run }: Called, moment: CallMoment): Promise<ToolOutput> {
  let wrapped = run
  for (const layer of layers.toReversed()) {
    const next = wrapped
    if (layer.wrapToolCall) wrapped = () => layer.wrapToolCall?.(call, next, moment) ?? next()
  }
  return wrapped()
}
