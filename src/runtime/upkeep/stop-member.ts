import { journalCursor } from '../../adapters/sessions/journal-cursor.ts'
import type { RunFile } from '../../protocol/team/run.ts'
import type { LifeAsk } from '../../protocol/work/life-ask.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import { stopGraceMs } from '../../rules/lives/stop-text.ts'
import { livingLeader } from '../runs/leader.ts'
import { journalFile } from '../runs/read-runs.ts'
import { askLeader, runOfMember, refuseStranger, type MemberPlace } from './ask-leader.ts'

/** For a worker that has to be killed, beyond the time that it was given. */
const endMs = 20_000

/** Which worker is stopped, and why. */
export interface StopMemberOptions extends MemberPlace {
  /** Default: that a program stopped it. */
  readonly reason?: string
  /** How long it may take to finish, or to refuse; default: 10 s. With 0 it is not asked. */
  readonly graceMs?: number
}

/** The end of a stop: nothing of the worker runs any more, it refused, or neither was heard in time. */
export interface StoppedMember {
  readonly run: string
  readonly member: string
  readonly outcome: 'stopped' | 'refused' | 'pending'
  /** Why it refused. */
  readonly reason?: string
}

/**
 * Stops one worker of a run that somebody leads, and waits until that is done: it is asked, may finish or refuse within
 * the time it is given, and is ended then. Its other members are not touched; its coordinator is told.
 * @throws when there is no such run or worker, when it is the coordinator, and when nobody leads the run
 * @example await stopMember({ run: 'review', member: 'historian' }) // { outcome: 'stopped', … }
 */
export async function stopMember(options: StopMemberOptions): Promise<StoppedMember> {
  const { member, graceMs = stopGraceMs, reason = 'a program stopped it' } = options
  const led = runOfMember(options)
  const { run, dir, file } = led
  refuseNonWorker(member, file.team)
  if (!livingLeader(dir))
    throw new Error(`nobody leads ${run}, so ${member} does not run; troupe stop ${run} stops all of it`)
  const ask: LifeAsk = { ask: 'stop', member, reason, grace_ms: graceMs }
  const seen = await askLeader(led, ask, { look: followStop(dir, member), withinMs: graceMs + endMs })
  return { run, member, ...(seen ?? { outcome: livingLeader(dir) ? 'pending' : 'stopped' }) }
}

function refuseNonWorker(name: string, { coordinator, members }: RunFile['team']): void {
  if (name === coordinator) {
    const workers = members.flatMap((member) => (member.name === coordinator ? [] : [member.name]))
    throw new Error(
      `${name} leads the run and ends with it; stop the run, or one of its workers: ${workers.join(', ')}`,
    )
  }
  refuseStranger(name, members, 'worker')
}

/** The end of a stop, as the team's journal tells it from where its wish was read. */
function followStop(dir: string, name: string): (wish: string) => Pick<StoppedMember, 'outcome' | 'reason'> | null {
  const cursor = journalCursor(journalFile(dir, leaderName))
  let isRead = false
  return (wish) => {
    let seen: Pick<StoppedMember, 'outcome' | 'reason'> | null = null
    cursor.each((entry) => {
      if (entry.type === 'mail.received' && entry.envelope.id === wish) isRead = true
      if (!isRead || seen || !('member' in entry) || entry.member !== name) return
      if (entry.type === 'member.stopped') seen = { outcome: 'stopped' }
      else if (entry.type === 'stop.refused') seen = { outcome: 'refused', reason: entry.reason }
    })
    return seen
  }
}
