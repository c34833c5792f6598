import type { Entry, Recorded } from '../../protocol/facts/entry.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'

/**
 * How a run has ended, as the team's journal says: null while it goes on, and again after somebody opened it anew.
 * @example endOfRun(readJournal(file).entries)?.status
 */
export function endOfRun(entries: readonly Entry[]): FactOf<'team.ended'> | null {
  const last = entries.findLast(({ type }) => type === 'team.ended' || type === 'team.reopened')
  return last?.type === 'team.ended' ? last : null
}

/**
 * When a run began to work by itself: a fork begins with entries that another run wrote.
 *
 * @param recorded its entries, the first one first
 * @param created when its directory was made, in milliseconds since the epoch
 */
export function beginOfRun(recorded: readonly Recorded[], created: number): number {
  return Math.max(recorded[0]?.entry.at ?? created, created)
}
