import { journalCursor } from '../../adapters/sessions/journal-cursor.ts'
import { readMember } from '../../adapters/sessions/read-run.ts'
import { endOfRun } from '../../projections/team/run-end.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import { livingLeader } from '../runs/leader.ts'
import { journalFile, recordOfRun } from '../runs/read-runs.ts'
import { stopOf } from '../runs/stop-file.ts'
import { askLeader, runOfMember, refuseStranger, type MemberPlace } from './ask-leader.ts'

/** For ending a life that does not leave, and for the next one to say hello. */
const restartMs = 60_000

/** The end of a restart: the member lives again, it is not started, or neither was seen in time. */
export interface RestartedMember {
  readonly run: string
  readonly member: string
  readonly outcome: 'restarted' | 'refused' | 'pending'
  /** Why it is not started. */
  readonly reason?: string
}

type Seen = Pick<RestartedMember, 'outcome' | 'reason'>

/**
 * Restarts one member of a run that somebody leads, the coordinator too, and waits until it lives again: what it does is cut
 * off as by a crash, and its next life has its conversation and takes its work up. One that was stopped, has gone or was
 * given up comes back in the same way.
 * @throws when there is no such run or member, and when nobody leads the run
 * @example await restartMember({ run: 'review', member: 'historian' }) // { outcome: 'restarted', … }
 */
export async function restartMember(place: MemberPlace): Promise<RestartedMember> {
  const { member } = place
  const led = runOfMember(place)
  const { run, dir, file } = led
  refuseStranger(member, file.team.members, 'member')
  if (!livingLeader(dir)) throw new Error(`nobody leads ${run}, so ${member} does not run; ${wayOn(led)}`)
  const look = followRestart(dir, member)
  const seen = await askLeader(led, { ask: 'restart', member }, { look, withinMs: restartMs })
  return { run, member, ...(seen ?? { outcome: 'pending' }) }
}

/** The way on for a run that nobody leads. */
function wayOn({ run, dir }: Pick<ReturnType<typeof runOfMember>, 'run' | 'dir'>): string {
  if (stopOf(dir) !== null) return 'the run was stopped and stays so'
  const isOver = endOfRun(recordOfRun(dir).recorded.map(({ entry }) => entry)) !== null
  return isOver
    ? `the run has ended: troupe continue ${run} "…" says more to its lead`
    : `troupe resume ${run} goes on with it`
}

/** The end of a restart, as the team's journal and the member's own file tell. */
function followRestart(dir: string, name: string): (wish: string) => Seen | null {
  const cursor = journalCursor(journalFile(dir, leaderName))
  const before = readMember(dir, name)?.incarnation
  let isRead = false
  return (wish) => {
    let seen: Seen | null = null
    cursor.each((entry) => {
      if (entry.type === 'mail.received' && entry.envelope.id === wish) isRead = true
      if (!isRead || !('member' in entry) || entry.member !== name) return
      if (entry.type === 'member.refused' || entry.type === 'member.lost')
        seen = { outcome: 'refused', reason: entry.reason }
    })
    const file = readMember(dir, name)
    const lives = isRead && file && file.incarnation !== before && file.state !== 'starting'
    return seen ?? (lives ? { outcome: 'restarted' } : null)
  }
}
