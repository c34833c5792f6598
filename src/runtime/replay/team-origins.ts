import type { Entry } from '../../protocol/facts/entry.ts'
import type { FactOrigin } from './fact-origin.ts'

/** The root actors of a team: its machine, its coordinator's, and those of its tasks. */
export type TeamRoot = 'team' | 'coordinator' | `task-${number}`

const ofTeam: ReadonlySet<string> = new Set([
  'member.spawned',
  'member.refused',
  'member.crashed',
  'member.lost',
  'member.stopped',
  'member.restarted',
  'stop.asked',
  'stop.refused',
  'lead.nudged',
  'team.ended',
])

const ofCoordinator: ReadonlySet<string> = new Set([
  'gather.opened',
  'gather.settled',
  'coordinator.moved',
  'request.settled',
])

const warnings: Readonly<Record<string, TeamRoot>> = {
  member_absent: 'team',
  terminate_failed: 'team',
  recall_failed: 'coordinator',
}

/** The root that states this fact of the team's journal; null when none does, or when the fact does not tell. */
export function rootOf(entry: Entry): TeamRoot | null {
  if (ofTeam.has(entry.type)) return 'team'
  if (ofCoordinator.has(entry.type) || entry.type === 'request.opened') return 'coordinator'
  if (entry.type === 'warning.raised') return warnings[entry.code] ?? null
  return entry.type.startsWith('task.') && 'task' in entry ? `task-${Number(entry.task)}` : null
}

/**
 * The origin of each entry of the team's journal in one life of its leader. A request that the lead opens itself is noted by
 * its tool; what the coordinator hands out is a request that was booked before.
 * @param known the requests that were booked before this life
 */
export function teamOrigins(entries: readonly Entry[], known: ReadonlySet<string>): readonly FactOrigin[] {
  const booked = new Set(known)
  return entries.map((entry) => {
    if (entry.type === 'event.dropped') return 'either'
    if (entry.type === 'request.held' || entry.type === 'request.opened') {
      const isNew = !booked.has(entry.request)
      booked.add(entry.request)
      return isNew || entry.type === 'request.held' ? 'noted' : 'stated'
    }
    return rootOf(entry) !== null || entry.type === 'task.refused' ? 'stated' : 'noted'
  })
}
