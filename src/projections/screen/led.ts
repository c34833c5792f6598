import type { MemberView, Roster } from './roster.ts'

/**
 * Marks the members that are not done as interrupted where nobody leads the run: none of them works or waits.
 *
 * @param led a living process leads the run
 * @example applyLed(roster, livingLeader(dir) !== null)
 */
export function applyLed(roster: Roster, led: boolean): void {
  for (const view of roster.values()) view.interrupted = !led && isUnfinished(view)
}

function isUnfinished({ state, rests }: MemberView): boolean {
  if (state === 'idle') return rests !== null && rests !== 'nothing_to_do'
  return state === 'starting' || state === 'busy' || state === 'draining'
}
