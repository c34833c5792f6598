import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { journalCursor } from '../../adapters/sessions/journal-cursor.ts'
import { readRun, unreadableRun } from '../../adapters/sessions/read-run.ts'
import type { StopAsk } from '../../protocol/work/stop-ask.ts'
import { agentId, leaderName, personSender } from '../../protocol/words/ids.ts'
import { stopGraceMs } from '../../rules/lives/stop-text.ts'
import { didYouMean } from '../../rules/tools/did-you-mean.ts'
import { ownPlace } from '../actors/own-place.ts'
import { openMailbox } from '../mail/open-mailbox.ts'
import { livingLeader } from '../runs/leader.ts'
import { findRun, journalFile } from '../runs/read-runs.ts'

/** Between two looks at what the leader says. */
const lookMs = 100
/** For a worker that has to be killed, beyond the time that it was given. */
const endMs = 20_000

/** Which worker is stopped, and why. */
export interface StopMemberOptions {
  /** The run's id or the beginning of it, its directory, or the name of its team for the latest one. */
  readonly run: string
  readonly member: string
  /** Where its team works; default: the process's directory. */
  readonly cwd?: string
  /** Default: that a program stopped it. */
  readonly reason?: string
  /** How long it may take to finish, or to refuse; default: 10 s. With 0 it is not asked. */
  readonly graceMs?: number
  /** Where the key of the run is; default: the user's directory. */
  readonly home?: string
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
  const { cwd = ownPlace.cwd, home = ownPlace.home, member, graceMs = stopGraceMs } = options
  const { reason = 'a program stopped it' } = options
  const dir = findRun(cwd, options.run)
  if (dir === null) throw new Error(`there is no run ${JSON.stringify(options.run)} in ${cwd}`)
  const { run: file } = readRun(dir)
  if (!file) throw new Error(unreadableRun(dir))
  const { name: team, coordinator, members } = file.team
  refuseNonWorker(member, coordinator, members)
  const run = basename(dir)
  if (!livingLeader(dir))
    throw new Error(`nobody leads ${run}, so ${member} does not run; troupe stop ${run} stops all of it`)
  const outcome = followStop(dir, member)
  const ask: StopAsk = { ask: 'stop', member, reason, grace_ms: graceMs }
  const box = openMailbox(dir, personSender, { home })
  try {
    const to = agentId(leaderName, team)
    const sent = box.send({ to, kind: 'control', body: JSON.stringify(ask), key: `stop:${member}` })
    if (!sent.ok) throw new Error(sent.error)
    const { id } = sent.envelope
    for (let waited = 0; waited < graceMs + endMs; waited += lookMs) {
      const seen = outcome(id)
      if (seen) return { run, member, ...seen }
      if (!livingLeader(dir)) return { run, member, outcome: 'stopped' }
      await pause(lookMs)
    }
    return { run, member, outcome: 'pending' }
  } finally {
    box.close()
  }
}

function refuseNonWorker(name: string, coordinator: string, members: readonly { readonly name: string }[]): void {
  const workers = members.flatMap((member) => (member.name === coordinator ? [] : [member.name]))
  if (name === coordinator)
    throw new Error(
      `${name} leads the run and ends with it; stop the run, or one of its workers: ${workers.join(', ')}`,
    )
  if (workers.includes(name)) return
  const guess = didYouMean(name, workers)
  const hint = guess === undefined ? '' : ` Did you mean "${guess}"?`
  throw new Error(`no worker of this run is called "${name}".${hint} Its workers: ${workers.join(', ')}`)
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
