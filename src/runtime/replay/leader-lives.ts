import type { Entry, Recorded } from '../../protocol/facts/entry.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import type { LeaderLife } from './replay-leader.ts'

/**
 * The lives of a run's leaders, each from its `team.started` or `team.resumed` on. A life whose journal does not say what its
 * leader had heard, as older versions wrote, is left out: the order in which its machines heard the members is not known.
 * @param recorded the journals in one order
 */
export function leaderLives(
  recorded: readonly Recorded[],
  teamAt: (at: number) => ResolvedTeam,
): readonly LeaderLife[] {
  const own = recorded.flatMap(({ owner, entry }) => (owner === leaderName ? [entry] : []))
  const starts = own.flatMap(({ type }, index) => (type === 'team.started' || type === 'team.resumed' ? [index] : []))
  return starts.flatMap((start, n) => {
    const entries = whole(own.slice(start, starts[n + 1]))
    const [first] = entries
    if (first === undefined || !entries.some(({ heard }) => heard !== undefined)) return []
    const known = heardBefore(own.slice(0, start + 1))
    const isEarlier = ({ owner, entry }: Recorded): boolean =>
      owner === leaderName ? entry.seq < first.seq : entry.seq <= (known.get(owner) ?? 0)
    const members = new Map<string, Recorded[]>()
    for (const each of recorded) {
      if (each.owner === leaderName || isEarlier(each)) continue
      const list = members.get(each.owner)
      if (list) list.push(each)
      else members.set(each.owner, [each])
    }
    return [{ team: teamAt(first.at), entries, earlier: recorded.filter(isEarlier), members }]
  })
}

/** Without what others wrote into the journal when nobody led the run any more. */
function whole(entries: readonly Entry[]): readonly Entry[] {
  const reopened = entries.findIndex(({ type }) => type === 'team.reopened' || type === 'team.changed')
  if (reopened < 0) return entries
  // Requests of an ended run are settled when a person opens the run again.
  const isEnded = entries.slice(0, reopened).some(({ type }) => type === 'team.ended')
  const last = entries.findLastIndex(({ type }, index) => index < reopened && type !== 'request.settled')
  return entries.slice(0, isEnded ? last + 1 : reopened)
}

/** How far the members' journals were heard by the last of these entries. */
function heardBefore(entries: readonly Entry[]): ReadonlyMap<string, number> {
  const known = new Map<string, number>()
  for (const { heard = {} } of entries) for (const [owner, seq] of Object.entries(heard)) known.set(owner, seq)
  return known
}
