/** Share of the budget after which no further continuation is asked for. */
export const completionThreshold = 0.9
/** A continuation that adds fewer tokens than this is a small one. */
export const diminishingThreshold = 500
/** Continuations that must have happened before small ones end the run. */
export const diminishingChecks = 3

/** The state that is kept between two checks of one run. */
export interface BudgetTracker {
  readonly continuations: number
  readonly lastDelta: number
  readonly lastTotal: number
}

export const freshTracker: BudgetTracker = { continuations: 0, lastDelta: 0, lastTotal: 0 }

export interface BudgetVerdict {
  readonly verdict: 'continue' | 'stop'
  /** Stopped because the last continuations hardly added anything, not because the budget is used. */
  readonly diminishing: boolean
  readonly tracker: BudgetTracker
}

/**
 * Decides whether an agent with a token budget is asked to go on: yes until most of the budget is spent, unless
 * after some continuations two in a row added next to nothing.
 *
 * @param spent `total` counts the output tokens of all turns so far.
 * @example checkTokenBudget(freshTracker, { budget: 10_000, total: 2_000 }).verdict // 'continue'
 */
export function checkTokenBudget(
  tracker: BudgetTracker,
  spent: { readonly budget: number; readonly total: number },
): BudgetVerdict {
  const delta = spent.total - tracker.lastTotal
  const diminishing =
    tracker.continuations >= diminishingChecks &&
    delta < diminishingThreshold &&
    tracker.lastDelta < diminishingThreshold
  if (diminishing || spent.total >= spent.budget * completionThreshold) return { verdict: 'stop', diminishing, tracker }
  return {
    verdict: 'continue',
    diminishing,
    tracker: { continuations: tracker.continuations + 1, lastDelta: delta, lastTotal: spent.total },
  }
}
