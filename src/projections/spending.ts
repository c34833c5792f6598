import type { Recorded } from '../protocol/entry.ts'
import type { Budget } from '../protocol/team-card.ts'

/** A run's hard limits as a fold: feed it every fact; it answers with the limit that a request would break. */
export interface SpendingFold {
  apply(recorded: Recorded): 'turns' | 'usd' | null
}

/**
 * Counts model answers and dollars over all members. A limit is hit when another answer is asked for although it is
 * used up, so that a run that ends with its last allowed answer is complete. Answers without a price count as free.
 *
 * @param budget the team's; limits that are not given are not watched
 * @example
 * const spending = spendingFold({ turns: 300, usd: 5 })
 * for (const recorded of facts) if (spending.apply(recorded)) stop()
 */
export function spendingFold({ turns, usd }: Pick<Budget, 'turns' | 'usd'>): SpendingFold {
  let answers = 0
  let dollars = 0
  return {
    apply({ entry }) {
      if (entry.type === 'model.settled') {
        answers += 1
        dollars += entry.cost_usd ?? 0
      } else if (entry.type === 'model.requested') {
        if (turns !== undefined && answers >= turns) return 'turns'
        if (usd !== undefined && dollars >= usd) return 'usd'
      }
      return null
    },
  }
}
