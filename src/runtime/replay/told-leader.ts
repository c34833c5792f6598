import type { EventFromLogic } from 'xstate'
import type { coordinatorMachine } from '../../../machines/coordinator/coordinator.ts'
import type { teamMachine } from '../../../machines/team/team.ts'
import type { Entry } from '../../protocol/facts/entry.ts'

/*
 * Events that a leader's process tells its machines without any journal saying so, as the fact shows that came of each: a
 * person's wish, mail from outside, the end of a process.
 */

type ToTeam = EventFromLogic<typeof teamMachine>
type ToCoordinator = EventFromLogic<typeof coordinatorMachine>

/** The events that may have led this root to a fact. */
export function toldTo(root: string, next: Entry): readonly (ToTeam | ToCoordinator)[] {
  if (root === 'team') return teamTold(next)
  return root === 'coordinator' ? coordinatorTold(next) : []
}

function teamTold(next: Entry): readonly ToTeam[] {
  const { at } = next
  switch (next.type) {
    case 'member.spawned':
    case 'member.refused':
      return [{ type: 'member.addressed', member: next.member, at }]
    case 'member.restarted':
      return [{ type: 'member.restart', member: next.member, by: next.by, at }]
    case 'member.crashed':
      return [{ type: 'member.crashed', member: next.member, error: next.error, at }]
    case 'stop.asked': {
      const { member, by, reason, until } = next
      return [{ type: 'member.stop', member, by, reason, grace_ms: Math.max(1, until - at), at }]
    }
    case 'member.stopped': {
      const { member, by, reason } = next
      return [{ type: 'member.stop', member, by, reason, at }]
    }
    case 'team.ended':
      return [{ type: 'abort', at }]
    default:
      return []
  }
}

function coordinatorTold(next: Entry): readonly ToCoordinator[] {
  if (next.type !== 'request.settled' || next.status !== 'cancelled') return []
  const { request, reason, at } = next
  const why = reason === undefined ? {} : { reason }
  return [
    { type: 'lead.satisfied', reason: reason ?? '', at },
    { type: 'request.cancelled', request, ...why, at },
  ]
}
