import { applyCost, emptyCost, type Spending } from '../../projections/cost/cost.ts'
import { recordOfRun } from './read-runs.ts'

/** The spending of a run: in all, by member and by model. Every member is listed, in whatever process it ran. */
export interface RunCost {
  readonly run: string
  readonly total: Spending
  readonly members: readonly (Spending & { readonly name: string })[]
  readonly models: readonly (Spending & { readonly name: string })[]
}

/**
 * Adds up what the journals of a run say was used, attempts that were paid for and came to nothing included.
 *
 * @param dir the run directory
 * @example readCost(dir).total.cost_usd // null as soon as one price is unknown
 */
export function readCost(dir: string): RunCost {
  const { id, recorded } = recordOfRun(dir)
  const cost = emptyCost()
  for (const each of recorded) applyCost(cost, each)
  return { run: id, total: cost.total, members: rows(cost.members), models: rows(cost.models) }
}

function rows(spent: ReadonlyMap<string, Spending>): RunCost['members'] {
  return [...spent].map(([name, spending]) => ({ name, ...spending }))
}
