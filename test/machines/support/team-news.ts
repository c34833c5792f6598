import { portId } from '../../../machines/team/team-event.ts'
import type { Life } from '../../../machines/team/lives.ts'
import type { TeamEvent, TeamInput } from '../../../machines/team/team.ts'
import type { TerminalReason } from '../../../src/protocol/conversation/agent-event.ts'
import type { Survey } from '../../../src/protocol/port.ts'
import { doneEvent } from './walk.ts'

export const inputOf = (more: Partial<TeamInput> = {}): TeamInput => ({
  members: [
    { name: 'lead', restart: 'on-crash' },
    { name: 'writer', restart: 'on-crash' },
    { name: 'reader', restart: 'never' },
    { name: 'clerk', restart: 'always' },
  ],
  coordinator: 'lead',
  intensity: { max: 1, within_ms: 1_000 },
  deadline: 5_000,
  ...more,
})

export const start: TeamEvent = { type: 'start', at: 0 }
export const abort: TeamEvent = { type: 'abort', at: 20 }
export const settled: TeamEvent = { type: 'request.settled', at: 20 }
export const addressed = (member: string, at = 10): TeamEvent => ({ type: 'member.addressed', member, at })
export const woke = (member: string): TeamEvent => ({ type: 'member.woke', member, at: 20 })
export const idled = (member: string): TeamEvent => ({ type: 'member.idled', member, at: 20 })
export const crashed = (member: string, at = 20): TeamEvent => ({ type: 'member.crashed', member, error: 'boom', at })
export const gone = (member: string, at = 20): TeamEvent => ({ type: 'member.gone', member, at })
export const stop = (member: string, grace_ms = 0): TeamEvent => ({
  type: 'member.stop',
  member,
  by: 'lead',
  reason: 'enough',
  grace_ms,
  at: 20,
})
export const restart = (member: string): TeamEvent => ({ type: 'member.restart', member, by: 'user', at: 20 })
export const stays = (member: string): TeamEvent => ({ type: 'member.stays', member, reason: 'not yet', at: 30 })
export const ended = (member: string): TeamEvent => ({ type: 'member.ended', member, at: 30 })
export const leadEnded = (reason: TerminalReason, more: { refused?: boolean } = {}): TeamEvent => ({
  type: 'lead.ended',
  reason,
  at: 20,
  ...more,
})

export const quiet: Survey = { members: [], pendingPermissions: 0, open: [] }
export const busy: Survey = { ...quiet, members: [{ name: 'lead', busy: true, undelivered: 0 }] }
export const owing: Survey = { ...quiet, open: ['r1'] }

/** The port's answer as its event, for walks. */
export const surveyed = (survey: Survey) => doneEvent('survey', survey)
export const isUp = (member: string) => doneEvent(port('spawn', member), undefined)
/** The child of that name in a team of `inputOf()`. */
export const port = (act: 'spawn' | 'terminate', member: string): string =>
  portId(Object.fromEntries(inputOf().members.map(({ name }) => [name, unborn])), act, member)

const unborn: Life = {
  name: '',
  restart: 'never',
  state: 'absent',
  attempt: 0,
  crashes: [],
  failedStarts: 0,
  at: 0,
  depth: 0,
  fresh: false,
  stop: null,
}
