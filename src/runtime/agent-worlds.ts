import type { CallBook } from './call-book.ts'
import type { Surroundings, TurnTools } from './surroundings.ts'
import { worlds } from './worlds.ts'

/** What one agent acts upon, and the tools of its current turn. */
export interface AgentWorld {
  readonly around: Surroundings
  turn: TurnTools
  /** How often its tools were called, and which results still hold. */
  readonly book: CallBook
  /** Where the paths of a permitted call led, until it runs: nothing else is touched under them. */
  readonly led: Map<string, ReadonlyMap<string, string>>
}

/** The worlds of all agents in this process. */
export const agentWorlds = worlds<AgentWorld>()
