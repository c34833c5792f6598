import type { MemberCard } from '../../protocol/team/team-card.ts'
import type { TurnTools } from '../agent/agent-deps.ts'
import type { ToolSets } from '../agent/turn-tools.ts'

/** The turns of a member: a coordinator's follow its state, those of a worker are always open. */
export interface LeadTurn {
  /** @param askers members that wait for its word */
  hold(askers: readonly string[]): boolean
  /** @param loaded deferred tools that were looked up */
  turnTools(loaded: ReadonlySet<string>): TurnTools
  /** News of its requests, told once; null when there is nothing to tell. */
  brief(): string | null
  /** `brief` has something to tell. */
  news(): boolean
  /** Requests of its own are out. */
  awaits(): boolean
}

/** The turns of a member that leads nobody. Every member may write mail, and ask the advisor that its card gives it. */
export function workerTurn({ tools, advisor }: Pick<MemberCard, 'tools' | 'advisor'>, sets: ToolSets): LeadTurn {
  const names = [...new Set([...tools, 'SendMessage', ...(advisor ? ['Advisor'] : [])])]
  return {
    hold: () => false,
    turnTools: (loaded) => sets(names, loaded),
    brief: () => null,
    news: () => false,
    awaits: () => false,
  }
}
