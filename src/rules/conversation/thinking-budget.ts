import type { ThinkingDisplay } from '../../protocol/models/model.ts'

/** Tokens to think for, how they grow fewer from turn to turn, and what is shown of the thinking. */
export interface ThinkingPlan {
  readonly budget?: number | undefined
  readonly decay?:
    | {
        /** The last turn with the whole budget. */
        readonly after_turn: number
        /** The part of the budget that each further turn keeps, from 0 to 1. */
        readonly factor: number
        /** Never less than this. */
        readonly floor: number
      }
    | undefined
  readonly display?: ThinkingDisplay | undefined
}

/**
 * The budget of one turn: whole at first, then a constant part of the turn before, never above the plan's own budget.
 * Undefined for a plan without one.
 *
 * @example thinkingBudget({ budget: 8_000, decay: { after_turn: 2, factor: 0.5, floor: 1_024 } }, 4) // 2000
 */
export function thinkingBudget({ budget, decay }: ThinkingPlan, turn: number): number | undefined {
  if (budget === undefined || !decay || turn <= decay.after_turn) return budget
  const tapered = Math.round(budget * decay.factor ** (turn - decay.after_turn))
  return Math.min(budget, Math.max(decay.floor, tapered))
}
