import type { Entry } from '../../protocol/facts/entry.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'

/**
 * How a run has ended, as the team's journal says: null while it goes on, and again after somebody opened it anew.
 * @example endOfRun(readJournal(file).entries)?.status
 */
export function endOfRun(entries: readonly Entry[]): FactOf<'team.ended'> | null {
  const last = entries.findLast(({ type }) => type === 'team.ended' || type === 'team.reopened')
  return last?.type === 'team.ended' ? last : null
}
