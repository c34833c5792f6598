import { canonicalName } from '../../projections/cost/canonical-name.ts'
import { applyCost, emptyCost, type Spending } from '../../projections/cost/cost.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import { recordOfRun, summariseRuns } from './read-runs.ts'

/** The spending of a run: in all, by member, by model and by purpose. Every member is listed, in whatever process it ran. */
export interface RunCost {
  readonly run: string
  readonly total: Spending
  readonly members: readonly (Spending & { readonly name: string })[]
  readonly models: readonly (Spending & { readonly name: string })[]
  /** The part of it that was asked beside the members' own work: summaries, memories, advice, … */
  readonly purposes: readonly (Spending & { readonly name: string })[]
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
  const { total, members, models, purposes } = cost
  return { run: id, total, members: rows(members), models: rows(models), purposes: rows(purposes) }
}

function rows(spent: ReadonlyMap<string, Spending>): RunCost['members'] {
  return [...spent].map(([name, spending]) => ({ name, ...spending }))
}

/** The spending of all runs of a working directory: in all, by run, and by model, whoever sells it. */
export interface RunsCost {
  /** Milliseconds since the epoch. */
  readonly since: number
  readonly total: Spending
  readonly runs: readonly (Spending & { readonly name: string })[]
  readonly models: readonly (Spending & { readonly name: string })[]
}

/**
 * Adds up what all runs of a working directory have used since a moment.
 *
 * @example readCostSince('/home/ada/project', Date.now() - 30 * 24 * 3_600_000).total.cost_usd
 */
export function readCostSince(cwd: string, since: number): RunsCost {
  const cost = emptyCost()
  const runs = summariseRuns(cwd).map(({ id, dir }) => {
    const own = emptyCost()
    for (const each of recordOfRun(dir).recorded) {
      if (each.entry.at < since) continue
      applyCost(own, each)
      applyCost(cost, inCanonicalName(each))
    }
    return { name: id, ...own.total }
  })
  return { since, total: cost.total, runs: runs.filter(({ answers }) => answers > 0), models: rows(cost.models) }
}

function inCanonicalName(recorded: Recorded): Recorded {
  const { entry } = recorded
  return 'model' in entry && typeof entry.model === 'string'
    ? { ...recorded, entry: { ...entry, model: canonicalName(entry.model) } }
    : recorded
}
