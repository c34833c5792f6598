import type { CallBook } from './call-book.ts'
import type { Surroundings, TurnTools } from './surroundings.ts'
import type { Underway } from './underway.ts'
import { worlds, type System } from './worlds.ts'

/** What one agent acts upon, and the tools of its current turn. */
export interface AgentWorld {
  readonly around: Surroundings
  turn: TurnTools
  /** How often its tools were called, and which results still hold. */
  readonly book: CallBook
  /** Where the paths of a permitted call led, until it runs: nothing else is touched under them. */
  readonly led: Map<string, ReadonlyMap<string, string>>
  readonly underway: Underway
}

/** The worlds of all agents in this process. */
export const agentWorlds = worlds<AgentWorld>()

/** What a port does in the world of its agent, with a signal that also aborts when the agent is cut off. */
export async function attended<Output>(
  system: System,
  signal: AbortSignal,
  act: (world: AgentWorld, signal: AbortSignal) => Promise<Output>,
): Promise<Output> {
  const world = agentWorlds.of(system)
  return world.underway.attend(signal, (ended) => act(world, ended))
}
