import type { Millis } from '../../src/protocol/words/ids.ts'
import type { HandOutOutput } from '../../src/protocol/port.ts'
import type { GatherPolicy, ResolvedTeam } from '../../src/protocol/team/team-card.ts'
import type { CoordinatorCard, CoordinatorState, LeadNews } from '../../src/rules/team/coordinator-tools.ts'
import type { Replica } from '../../src/rules/team/delegation-plan.ts'
import type { RequestBook, HeldRequest, OpenedRequest } from './request-book.ts'

/** The input of a coordinator; frozen for the whole run. */
export interface CoordinatorInput {
  /** The lead's name. */
  readonly lead: string
  readonly policy: GatherPolicy
  readonly partition: ResolvedTeam['partition']
  /** The tools of the coordinator's own card. */
  readonly domain: readonly string[]
  /** Workers that can be asked. */
  readonly workers: readonly Replica[]
  /** How many requests may be at work at the same time. */
  readonly concurrency?: number
  /** The team has a task board. */
  readonly board?: boolean
  /** True when the lead may ask an advisor. */
  readonly advised?: boolean
  /** When a round ends at the latest, so that the lead can still report before the team's time is up. */
  readonly closes?: Millis
  /** The book as an earlier leader of this run left it. */
  readonly earlier?: EarlierBook
}

/** Events of the runtime for the coordinator machine. */
export type CoordinatorEvent =
  | ({ readonly type: 'request.opened'; readonly at: Millis } & OpenedRequest)
  | ({ readonly type: 'request.held'; readonly at: Millis } & HeldRequest)
  | {
      readonly type: 'result.received'
      readonly request: string
      /** The mail with the task that it answers. */
      readonly task?: string
      readonly status: 'done' | 'failed' | 'cancelled'
      readonly reason?: string
      readonly at: Millis
    }
  /** The request's worker is being stopped. */
  | { readonly type: 'request.cancelled'; readonly request: string; readonly reason?: string; readonly at: Millis }
  | { readonly type: 'member.lost'; readonly member: string; readonly reason: string; readonly at: Millis }
  /** A worker that is not running may not be started. */
  | { readonly type: 'member.refused'; readonly member: string; readonly reason: string; readonly at: Millis }
  | { readonly type: 'lead.woke'; readonly at: Millis }
  /** The lead was told of what settled, with its results: both are part of its conversation now. */
  | { readonly type: 'lead.briefed'; readonly at: Millis }
  /** The lead asked its model. */
  | { readonly type: 'lead.asked'; readonly at: Millis }
  | { readonly type: 'lead.idled'; readonly at: Millis }
  /** The lead has enough: what is still out is cancelled. */
  | { readonly type: 'lead.satisfied'; readonly reason: string; readonly at: Millis }
  /**
   * Another leader leads the run on: what nothing holds any more begins. `untold` are requests that ended and whose workers
   * were not told, `unstated` are those whose last task was sent, and the earlier leader did not come to say so.
   */
  | {
      readonly type: 'run.resumed'
      readonly untold: readonly string[]
      readonly unstated: readonly string[]
      readonly at: Millis
    }
  | { readonly type: 'end'; readonly at: Millis }

type CoordinatorPort = 'hand_out' | 'recall'

type OwnEvent =
  | { readonly type: 'request.expired'; readonly request: string; readonly at: Millis }
  | { readonly type: 'round.expired'; readonly round: number; readonly at: Millis }
  | {
      readonly type: `xstate.done.actor.${CoordinatorPort}:${string}`
      readonly output: HandOutOutput | undefined
      readonly actorId: string
    }
  | {
      readonly type: `xstate.error.actor.${CoordinatorPort}:${string}`
      readonly error: unknown
      readonly actorId: string
    }

export type AnyCoordinatorEvent = CoordinatorEvent | OwnEvent

export interface CoordinatorContext {
  readonly lead: string
  readonly policy: GatherPolicy
  readonly card: CoordinatorCard
  readonly workers: readonly Replica[]
  readonly concurrency: number
  readonly closes: Millis
  /** When the latest thing happened that it was told the time of. */
  readonly at: Millis
  readonly book: RequestBook
  readonly round: number
  /** The last round before a person opened the run again: the rounds after that one are counted. */
  readonly before: number
  /** When the current round ends at the latest. */
  readonly deadline: Millis
  readonly lost: readonly string[]
  /** Workers that could not be started: others of the same card are asked before. */
  readonly refused: readonly string[]
  readonly news: LeadNews
  readonly earlier: EarlierBook | null
}

/** Where an earlier leader of the run left the coordinator. */
export interface EarlierBook {
  readonly state: CoordinatorState
  readonly book: RequestBook
  readonly round: number
  /** The last round before a person opened the run again. */
  readonly before: number
  /** When the current round ends at the latest. */
  readonly deadline: Millis
  readonly lost: readonly string[]
  readonly news: LeadNews
  /** When it is taken up. */
  readonly at: Millis
}
