import type { ThinkingSettings } from '../../protocol/team/team-card.ts'
import { thinkingBudget } from '../../rules/conversation/thinking-budget.ts'
import type { TurnEffort } from './agent-deps.ts'

/** How hard a model shall think, turn by turn, as a card or an option says. Without either it is left to the model. */
export function turnEffort({ effort, thinking }: ThinkingSettings): (turn: number) => TurnEffort {
  const told = effort === undefined ? {} : { effort }
  if (thinking === undefined) return () => told
  return (turn) => ({ ...told, thinking_budget: thinkingBudget(thinking, turn) })
}
