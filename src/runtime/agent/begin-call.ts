import { describeCall } from '../../adapters/tools/describe-call.ts'
import type { CallOutcome, CallDescription } from '../../protocol/tools/tool.ts'
import { textOf, type ToolResult, type ToolUseBlock } from '../../protocol/conversation/message.ts'
import type { Clock } from '../actors/clock.ts'
import type { CallFor } from '../skills/open-skill.ts'
import { spawnRoot, tell, whenOver } from '../actors/spawn.ts'
import { bindAgent, providedToolCall } from './agent-ports.ts'
import type { AgentDeps } from './agent-deps.ts'
import type { AgentStore } from './agent-store.ts'

/** An agent that goes on after a death, for the calls that its earlier life did not come to. */
export interface Beginning {
  readonly store: Pick<AgentStore, 'ledger'>
  readonly deps: AgentDeps
  readonly clock: Clock
  /** Aborted when the agent is to leave: a call that still waits is given up then. */
  readonly leaving: AbortSignal
}

/**
 * Makes a call that had not begun when the earlier life ended, from its beginning. One that waited for approval asks
 * under its old id, and finds an answer that came meanwhile. Limits hold for it, and it counts, as for any other.
 */
export function beginCall({ store, deps, clock, leaving }: Beginning, call: CallDescription): Promise<ToolResult> {
  const { ledger } = store
  const done = Promise.withResolvers<ToolResult>()
  const [counted = call] = deps.book.turn([call], deps.turnTools().tools)
  const actor = spawnRoot<typeof providedToolCall>(
    providedToolCall,
    { call: counted, hooked: (deps.hooks ?? deps.middleware ?? null) !== null },
    {
      id: `${deps.member}#${call.id}`,
      clock,
      record: ledger.record,
      bind: (root) => bindAgent(root, deps),
      crashed: done.reject,
    },
  )
  const giveUp = (): void => tell(actor, { type: 'abort', reason: 'Stopped: this member was told to leave.' })
  whenOver(actor, () => done.resolve((actor.getSnapshot().output as CallOutcome).result))
  if (leaving.aborted) giveUp()
  else leaving.addEventListener('abort', giveUp, { once: true })
  return done.promise
}

/** Makes a call as if the agent had made it. @returns null where the agent has no such tool now */
export async function makeCall(
  beginning: Beginning,
  call: Pick<ToolUseBlock, 'id' | 'name' | 'input'>,
): Promise<ToolResult | null> {
  const { tools } = beginning.deps.turnTools()
  return tools.has(call.name) ? beginCall(beginning, describeCall(tools)({ type: 'tool_use', ...call })) : null
}

/** The calls that a skill of an agent makes; the agent is asked for when one is made. */
export function callsFor(store: Beginning['store'], clock: Clock, agent: () => AgentDeps): CallFor {
  return async (name, input, { id, shown, again, signal }) => {
    const [not, deps] = [name === 'Bash' ? 'Not run' : 'Not read', agent()]
    if (again) return `[${not} again after an interruption: ${shown}]`
    const result = await makeCall({ store, deps, clock, leaving: signal }, { id, name, input })
    if (result === null) return `[${not}, for you have no ${name}: ${shown}]`
    const said = textOf(result).trimEnd()
    return result.is_error ? `[${not}: ${shown}: ${said}]` : said
  }
}
