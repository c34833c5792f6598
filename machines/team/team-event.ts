import { orderlyReasons, type TerminalReason } from '../../src/protocol/conversation/agent-event.ts'
import { errorText } from '../../src/protocol/words/error-text.ts'
import { isHopeless } from '../../src/protocol/team/executor.ts'
import type { RunStatus } from '../../src/protocol/facts/fact.ts'
import type { Millis } from '../../src/protocol/words/ids.ts'
import type { BudgetUnit } from '../../src/rules/team/call-budget.ts'
import type { Lives, News } from './lives.ts'

/** Events of the runtime for the team machine. */
export type TeamEvent =
  | { readonly type: 'start'; readonly at: Millis }
  /** Mail was sent to a member: one that is not running is started. */
  | { readonly type: 'member.addressed'; readonly member: string; readonly by?: string; readonly at: Millis }
  | { readonly type: 'member.woke'; readonly member: string; readonly at: Millis }
  | { readonly type: 'member.idled'; readonly member: string; readonly at: Millis }
  | { readonly type: 'member.crashed'; readonly member: string; readonly error: string; readonly at: Millis }
  | { readonly type: 'member.gone'; readonly member: string; readonly at: Millis }
  /** A worker is to leave and not to be restarted; mail may call it back. */
  | {
      readonly type: 'member.stop'
      readonly member: string
      readonly by: string
      readonly reason: string
      /** How long it may take to finish, or to refuse; left out or nothing: it is not asked. */
      readonly grace_ms?: number
      readonly at: Millis
    }
  /** A worker that was asked to stop refuses. */
  | { readonly type: 'member.stays'; readonly member: string; readonly reason: string; readonly at: Millis }
  /** A person wants a member to begin again, with its conversation, whatever its state. */
  | { readonly type: 'member.restart'; readonly member: string; readonly by: string; readonly at: Millis }
  /** The work at hand of a worker is over. */
  | { readonly type: 'member.ended'; readonly member: string; readonly at: Millis }
  /** The lead's agent ended; `refused` when a person's refusal ended it. */
  | { readonly type: 'lead.ended'; readonly reason: TerminalReason; readonly refused?: boolean; readonly at: Millis }
  | { readonly type: 'request.settled'; readonly at: Millis }
  /** Requests failed for good: all of a round, or one in a team that is to fail with it. */
  | { readonly type: 'gather.failed'; readonly reason: string; readonly at: Millis }
  | { readonly type: 'mail.failed'; readonly at: Millis }
  /** A limit of the team's budget is used up: somebody's work was cut short. */
  | { readonly type: 'budget.spent'; readonly what: BudgetUnit; readonly at: Millis }
  | { readonly type: 'abort'; readonly at: Millis }

type LeadEnded = Extract<TeamEvent, { type: 'lead.ended' }>

const lifePorts = ['spawn', 'terminate'] as const
type LifePort = (typeof lifePorts)[number]

/** Events of the team machine itself and of the ports that it started. */
export type TeamOwnEvent =
  | { readonly type: 'deadline.passed'; readonly at: Millis }
  /** A member that could not be started is tried again; `attempt` is the one that came to nothing. */
  | { readonly type: 'member.due'; readonly member: string; readonly attempt: number; readonly at: Millis }
  /** The time is up that a worker was given to stop by itself. */
  | { readonly type: 'member.overdue'; readonly member: string; readonly at: Millis }
  | { readonly type: `xstate.done.actor.${number}`; readonly output: void; readonly actorId: string }
  | { readonly type: `xstate.error.actor.${number}`; readonly error: unknown; readonly actorId: string }

export type AnyTeamEvent = TeamEvent | TeamOwnEvent

/**
 * The id of the child that starts or terminates a member: a number, as XState copies all children of a team whenever one
 * begins or ends, and hundreds of them under words take several times the memory.
 */
export function portId(lives: Lives, act: LifePort, member: string): string {
  return String(Object.keys(lives).indexOf(member) * lifePorts.length + lifePorts.indexOf(act))
}

/** The port of a life that an event comes from; undefined when the event comes from none. */
export function lifePortOf(event: AnyTeamEvent): LifePort | undefined {
  return 'actorId' in event ? lifePorts[Number(event.actorId) % lifePorts.length] : undefined
}

/** The member that an event is about; empty when it is about none. */
export function memberOf(lives: Lives, event: AnyTeamEvent): string {
  if ('actorId' in event) return Object.keys(lives)[Math.floor(Number(event.actorId) / lifePorts.length)] ?? ''
  return 'member' in event ? event.member : ''
}

/**
 * The news in an event about one member's life, as a list of none or one. A port's answer counts from the time of its
 * question.
 */
export function newsOf(lives: Lives, event: AnyTeamEvent): readonly News[] {
  switch (event.type) {
    case 'member.addressed':
      return [
        { member: event.member, what: 'addressed', at: event.at, ...(event.by === undefined ? {} : { by: event.by }) },
      ]
    case 'member.crashed':
      return [{ member: event.member, what: 'crashed', at: event.at, reason: event.error }]
    case 'member.due':
      if (lives[event.member]?.attempt !== event.attempt) return []
      return [{ member: event.member, what: 'due', at: event.at }]
    case 'member.gone':
      return [{ member: event.member, what: 'gone', at: event.at }]
    case 'member.stop':
      return [{ ...event, what: 'stop' }]
    case 'member.restart':
      return [{ ...event, what: 'restart' }]
    case 'member.stays':
      return [{ ...event, what: 'stays' }]
    case 'member.ended':
      return [{ ...event, what: 'ended' }]
    case 'member.overdue':
      return [{ ...event, what: 'overdue' }]
    default:
      return 'actorId' in event ? newsOfPort(lives, event) : []
  }
}

function newsOfPort(lives: Lives, event: Extract<AnyTeamEvent, { actorId: string }>): readonly News[] {
  const life = lives[memberOf(lives, event)]
  if (!life) return []
  const news = { member: life.name, at: life.at }
  if (lifePortOf(event) === 'terminate') return [{ ...news, what: 'gone' }]
  return 'error' in event
    ? [{ ...news, what: 'crashed', reason: errorText(event.error), ...(isHopeless(event.error) && { hopeless: true }) }]
    : [{ ...news, what: 'started' }]
}

const aborted: readonly TerminalReason[] = ['aborted_streaming', 'aborted_tools']

/** Status and reason of a run that its lead has ended; `spent`: the limit that cut work short before. */
export function endAfterLead({ reason, refused = false }: LeadEnded, spent: BudgetUnit | null) {
  const status = statusAfterLead(reason, refused) ?? 'failed'
  if (status === 'budget') return { status, reason: spent ?? reason }
  return { status, reason: refused ? 'permission' : reason }
}

/** How the run ends because its lead ended so; `null` when it goes on to a survey. */
export function statusAfterLead(reason: TerminalReason, refused: boolean): RunStatus | null {
  if (refused) return 'permission'
  // The survey judges the lead's work.
  if (orderlyReasons.includes(reason)) return null
  if (reason === 'budget_exhausted') return 'budget'
  return aborted.includes(reason) ? 'aborted' : 'failed'
}
