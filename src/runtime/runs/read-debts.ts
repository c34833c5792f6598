import { applyDebts, emptyDebts, openDebts, type Debt } from '../../projections/team/debts.ts'
import { recordOfRun } from './read-runs.ts'

/**
 * Tasks and questions of a run that wait for their answer, the oldest first, as its journals say.
 *
 * @param dir the run directory
 * @example readDebts(dir)[0]?.debtor // who keeps somebody waiting longest
 */
export function readDebts(dir: string): readonly Debt[] {
  const debts = emptyDebts()
  for (const each of recordOfRun(dir).recorded) applyDebts(debts, each)
  return openDebts(debts)
}
