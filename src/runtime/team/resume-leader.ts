import type { CoordinatorEvent, CoordinatorInput } from '../../../machines/coordinator/coordinator.ts'
import type { RequestBook } from '../../../machines/coordinator/request-book.ts'
import type { EarlierTeam } from '../../../machines/team/team-setup.ts'
import type { EntryOf } from '../../projections/fold/fold.ts'
import { applyLives, type EarlierLives } from '../../projections/team/earlier-lives.ts'
import {
  applyRequests,
  noRequests,
  type EarlierRequest,
  type EarlierRequests,
} from '../../projections/team/earlier-requests.ts'
import { memberName } from '../../protocol/words/ids.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'
import { textOf } from '../../protocol/conversation/message.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import { cutsShort } from '../../rules/team/call-budget.ts'
import { reasonIn } from '../../rules/team/gather-note.ts'
import { nudgeText } from '../../../machines/team/quiet.ts'
import type { Leader, StopWish } from './leader.ts'
import { deadResultsIn, endOfRequest } from './team-routes.ts'

/** The input of a leader's machines for a run that has a past. */
export interface LeaderResumption {
  readonly team: EarlierTeam | null
  readonly coordinator: CoordinatorInput['earlier'] | null
  /** When the run began, or was opened again; null when it begins now. */
  readonly started: number | null
  /** A gather that settled and that the lead has not been told of. */
  readonly unread: EarlierRequests['why']
  /** The task was put to the lead. */
  readonly prompted: boolean
  /** Results that the coordinator missed. */
  readonly unheard: readonly CoordinatorEvent[]
  /** Requests that nobody waits for any more, and whose workers do not know. */
  readonly untold: readonly string[]
  /** Workers that were to stop, and perhaps did not. */
  readonly stops: readonly Pick<StopWish, 'worker' | 'by' | 'reason'>[]
  /** Requests whose last task was sent, and not stated. */
  readonly unstated: readonly string[]
}

/**
 * Folds the past of a run into what its machines begin with. Nothing of it is a saved machine: the same journals always
 * give the same beginning.
 */
export function resumeLeader(recorded: readonly Recorded[], team: ResolvedTeam, at: number): LeaderResumption {
  const began = recorded.find(({ entry }) => entry.type === 'team.started')
  if (!began) return nothingToTakeOver
  const { lives, requests } = foldPast(recorded, team.coordinator)
  const reopened = recorded.findLastIndex(({ entry }) => entry.type === 'team.reopened')
  const since = recorded.slice(reopened + 1)
  const words = recorded.flatMap(({ owner, entry }) =>
    owner === team.coordinator && entry.type === 'message.appended' ? [entry] : [],
  )
  const results = recorded.flatMap((each) => resultIn(each, requests) ?? [])
  return {
    team: { ...teamOf(lives, team), nudged: wasNudged(since, words), spent: spentIn(since) },
    coordinator: bookOf(requests, team.gather.timeout_ms, at),
    started: recorded[reopened]?.entry.at ?? began.entry.at,
    unread: requests.news === 'untold' ? requests.why : null,
    prompted: words.length > 0,
    stops: [...lives].flatMap(([worker, { stop }]) => (stop ? [{ worker, ...stop }] : [])),
    untold: namesOf(requests, isUntold),
    unstated: namesOf(requests, ({ status, unstated }) => status === 'open' && unstated),
    unheard: [
      ...results,
      ...deadResultsIn(recorded)
        .flatMap((dead) => endOfRequest(dead) ?? [])
        .filter((end) => isAwaited(end, requests.requests)),
    ],
  }
}

function foldPast(recorded: readonly Recorded[], coordinator: string) {
  const lives: EarlierLives = new Map()
  const requests = noRequests(coordinator)
  let ended = false
  for (const each of recorded) {
    const { type, at } = each.entry
    applyLives(lives, each)
    applyRequests(requests, each)
    if (type === 'team.ended') ended = true
    if (type !== 'team.reopened') continue
    forgive(lives, requests, at)
    // The lead of a run that had ended hears a person and makes a new plan; a fork goes on in the middle.
    if (ended) Object.assign(requests, { state: 'planning', why: null, news: 'none', before: requests.round })
    ended = false
  }
  return { lives, requests }
}

const nothingToTakeOver: LeaderResumption = {
  team: null,
  coordinator: null,
  started: null,
  unread: null,
  prompted: false,
  untold: [],
  stops: [],
  unstated: [],
  unheard: [],
}

function namesOf({ requests }: EarlierRequests, picks: (known: EarlierRequest) => boolean): readonly string[] {
  return [...requests.values()].flatMap((known) => (picks(known) ? [known.request] : []))
}

/** A request that failed was answered, or its worker is no more. */
function isUntold({ status, held, told }: EarlierRequest): boolean {
  return (status === 'cancelled' || status === 'timed_out') && !held && !told
}

/**
 * Forgives members that were given up before a person opened the run again: they may be started again, and no time has
 * passed for their requests.
 */
function forgive(lives: EarlierLives, requests: EarlierRequests, at: number): void {
  requests.lost.length = 0
  requests.began = at
  for (const life of lives.values()) {
    life.crashes.length = 0
    if (life.state === 'lost') life.state = 'absent'
  }
}

/**
 * The facts that end what a run still asked for when it ended: a result that came in time counts.
 * @param recorded all that happened before
 * @param lead the coordinator's member name
 */
export function endRequests(recorded: readonly Recorded[], lead: string): readonly FactOf<'request.settled'>[] {
  const requests = noRequests(lead)
  for (const each of recorded) applyRequests(requests, each)
  const results = recorded.flatMap((each) => resultIn(each, requests) ?? [])
  const open = [...requests.requests.values()].filter(({ status }) => status === 'open')
  return open.map(({ request, worker }) => {
    const { status, reason } = results.find((result) => result.request === request) ?? cutOff
    return { type: 'request.settled', request, worker, status, ...(reason === undefined ? {} : { reason }) }
  })
}

const cutOff = { status: 'cancelled', reason: 'the run had ended' } as const

function teamOf(earlier: EarlierLives, { members }: ResolvedTeam): Pick<EarlierTeam, 'lives' | 'recalled'> {
  const known = members.flatMap(({ name, restart }) => {
    const life = earlier.get(name)
    return life ? [{ name, restart, life }] : []
  })
  return {
    recalled: known.flatMap(({ name, life }) => (life.state === 'running' ? [name] : [])),
    lives: Object.fromEntries(
      known.map(({ name, restart, life: { attempt, depth, crashes, state, fresh } }) => [
        name,
        {
          name,
          restart,
          attempt,
          depth,
          crashes: [...crashes],
          failedStarts: 0,
          at: 0,
          fresh,
          stop: null,
          state: state === 'running' ? 'absent' : state,
        },
      ]),
    ),
  }
}

/** The limit of the team's budget that cut work short first. */
function spentIn(recorded: readonly Recorded[]): EarlierTeam['spent'] {
  const short = recorded.flatMap(({ entry }) => (entry.type === 'budget.exhausted' && cutsShort(entry) ? [entry] : []))
  return short[0]?.unit ?? null
}

function bookOf(
  { requests, round, before, deadline, began, lost, news, state }: EarlierRequests,
  timeoutMs: number,
  at: number,
): LeaderResumption['coordinator'] {
  const book: RequestBook = Object.fromEntries(
    [...requests.values()].map(({ opened: _, told: __, unstated: ___, trouble: ____, tasks, ...known }) => [
      known.request,
      { ...known, mail_id: tasks.at(-1) ?? null, past: tasks.slice(0, -1) },
    ]),
  )
  const named = states.find((known) => known === state) ?? 'planning'
  return { book, round, before, deadline: deadline ?? began + timeoutMs, lost, news, state: named, at }
}

type ResultEvent = Extract<CoordinatorEvent, { type: 'result.received' }>

const states = ['planning', 'gathering', 'synthesising', 'answered', 'waiting'] as const

/** A result was written in the last moment, and the book does not know it yet. */
function resultIn({ entry }: Recorded, { lead, requests }: EarlierRequests): ResultEvent | null {
  if (entry.type !== 'mail.sent' || memberName(entry.envelope.to) !== lead) return null
  const { kind, request = '', status = 'done', body, reply_to = '', amends = false } = entry.envelope
  const booked = requests.get(request)
  if (kind !== 'result' || amends || booked?.status !== 'open' || booked.tasks.slice(0, -1).includes(reply_to))
    return null
  const reason = status === 'done' ? {} : { reason: reasonIn(body) }
  return { type: 'result.received', request, ...(reply_to && { task: reply_to }), status, ...reason, at: entry.at }
}

/** The coordinator did not hear of it, and the end is not that of an earlier attempt. */
function isAwaited(end: { request: string; at: number }, requests: EarlierRequests['requests']): boolean {
  const booked = requests.get(end.request)
  return booked?.status === 'open' && end.at >= booked.opened
}

type Word = EntryOf<'message.appended'>

/** The lead was told what is still open; that it was to be told is not enough. */
function wasNudged(recorded: readonly Recorded[], words: readonly Word[]): boolean {
  const nudge = recorded.flatMap(({ entry }) => (entry.type === 'lead.nudged' ? [entry] : [])).at(-1)
  if (!nudge) return false
  const text = nudgeText(nudge.open)
  return words.some(({ message, at }) => at >= nudge.at && message.role === 'user' && textOf(message) === text)
}

/** Replays events that the lead and the book of requests missed before the last leader ended. */
export function catchUp(
  { coordination, stop }: Pick<Leader, 'coordination' | 'stop'>,
  past: LeaderResumption,
  at: number,
): void {
  const { unread, unheard, untold, unstated, stops } = past
  if (unread !== null) coordination.briefing.settled(unread)
  coordination.send({ type: 'run.resumed', untold, unstated, at })
  for (const event of unheard) coordination.send(event)
  for (const wish of stops) stop({ ...wish, grace_ms: 0 })
}
