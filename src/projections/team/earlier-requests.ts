import type { Contract, Envelope } from '../../protocol/mail/envelope.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'
import { memberName } from '../../protocol/words/ids.ts'
import { attemptOf } from '../../rules/team/delegation-plan.ts'
import type { LeadNews } from '../../rules/team/coordinator-tools.ts'
import { isGatherNote, reasonIn } from '../../rules/team/gather-note.ts'
import { foldOver, getOrMake, ignore } from '../fold/fold.ts'

/** A request as the journals of an earlier leader left it. */
export interface EarlierRequest {
  readonly request: string
  worker: string
  readonly task: string
  attempt: number
  deadline: number | null
  readonly depends_on: readonly string[]
  readonly limit_ms: number | null
  readonly returns: Contract | null
  /** Not handed out yet. */
  held: boolean
  readonly round: number
  status: 'open' | 'done' | 'failed' | 'cancelled' | 'timed_out'
  reason?: string
  counted: boolean
  /** The worker that had the request before its substitute. */
  instead_of: FactOf<'request.opened'>['instead_of'] | null
  /** When it was sent last. */
  opened: number
  /** Ids of the mails that handed it out, one for each attempt. */
  tasks: readonly string[]
  /** True when the worker has answered, or was told that the request is no longer waited for. */
  told: boolean
  /** The task of the latest attempt was sent, and the leader died before it stated that. */
  unstated: boolean
  /** Why the latest attempt came to nothing. */
  trouble?: string
}

/** Where the coordinator's book stood. */
export interface EarlierRequests {
  readonly lead: string
  readonly requests: Map<string, EarlierRequest>
  round: number
  /** The last round before a person opened the run again. */
  before: number
  /** When the round ends at the latest; null when the leader died before it said so. */
  deadline: number | null
  /** When the round opened. */
  began: number
  news: LeadNews
  /** Why the last gather settled. */
  why: FactOf<'gather.settled'>['why'] | null
  /** The last that it said of itself; null before it said anything. */
  state: string | null
  readonly lost: string[]
}

/** @param lead the coordinator's member name */
export function noRequests(lead: string): EarlierRequests {
  return {
    lead,
    requests: new Map(),
    round: 0,
    before: 0,
    deadline: 0,
    began: 0,
    news: 'none',
    why: null,
    state: null,
    lost: [],
  }
}

/** Folds what a run's journals say of its requests; the same facts always give the same book. */
export const applyRequests = foldOver<
  EarlierRequests,
  'request' | 'gather' | 'conversation' | 'model' | 'life' | 'mail'
>({
  'mail.sent': ({ lead, requests }, { envelope, at }, owner) => {
    const { kind, request = '', key, id, status = 'done', amends = false, body } = envelope
    const known = requests.get(request)
    if (!known) return
    known.told = kind === 'control' || kind === 'result'
    if (kind === 'result' && status !== 'done' && !amends) known.trouble = reasonIn(body)
    const attempt = kind === 'task' && owner === lead ? attemptOf(key) : null
    if (attempt !== null && !known.tasks.includes(id)) Object.assign(known, sentAgain(known, { envelope, attempt, at }))
  },
  'mail.received': ignore,
  'mail.handled': ignore,
  'mail.died': ignore,
  'member.replied': ignore,
  'gather.opened': (state, { deadline }) => {
    state.deadline = deadline
  },
  'request.held': (state, { request, worker, task, depends_on, limit_ms, returns = null, at }) => {
    booked(state, { ...first, request, worker, task, depends_on, limit_ms, returns, held: true, opened: at })
  },
  'request.opened': (state, { returns = null, instead_of = null, ...entry }) => {
    const { request, worker, task, mail_id, attempt, deadline, at } = entry
    const known = booked(state, { ...first, request, worker, task, deadline, returns, opened: at })
    const tasks = known.tasks.includes(mail_id) ? known.tasks : [...known.tasks, mail_id]
    Object.assign(known, {
      worker,
      attempt,
      deadline,
      instead_of,
      held: false,
      opened: at,
      told: false,
      tasks,
      unstated: false,
    })
  },
  'request.settled': ({ requests }, { request, status, reason }) => {
    const known = requests.get(request)
    if (known) Object.assign(known, { status }, reason === undefined ? {} : { reason })
  },
  'gather.settled': (state, { why }) => {
    for (const known of state.requests.values()) known.counted = known.status !== 'open'
    state.news = 'untold'
    state.why = why
    // The leader may have died before it stated the next round: the round goes on all the same.
    const goesOn = why === 'progressive' && [...state.requests.values()].some(({ status }) => status === 'open')
    if (!goesOn) state.state = 'synthesising'
  },
  'coordinator.moved': (state, { state: moved }) => {
    state.state = moved
    if (moved === 'gathering' && state.news === 'told') state.news = 'none'
  },
  'lead.nudged': ignore,
  'message.appended': (state, { message }, owner) => {
    if (owner === state.lead && isGatherNote(message) && state.news === 'untold') state.news = 'told'
  },
  'message.tombstoned': ignore,
  'model.requested': (state, _, owner) => {
    if (owner === state.lead && state.news === 'told') state.news = 'none'
  },
  'model.settled': ignore,
  'member.spawned': ignore,
  'member.started': ignore,
  'member.woke': ignore,
  'member.idled': ignore,
  'member.drained': ignore,
  'member.gone': ignore,
  'member.crashed': ignore,
  'member.refused': ignore,
  'member.stopped': ignore,
  'member.lost': ({ lost, requests }, { member, reason }) => {
    lost.push(member)
    for (const known of requests.values()) if (known.worker === member) known.trouble = reason
  },
})

const first = {
  attempt: 1,
  deadline: null,
  depends_on: [],
  limit_ms: null,
  held: false,
  instead_of: null,
  status: 'open',
  counted: false,
  told: false,
  tasks: [],
  unstated: false,
} as const

/** The request after its task was sent in an attempt: the mail is the attempt, whether or not that was stated. */
function sentAgain(
  { held, worker, attempt: latest, limit_ms, deadline, tasks, instead_of, trouble }: EarlierRequest,
  { envelope: { id, to }, attempt, at }: { readonly envelope: Envelope; readonly attempt: number; readonly at: number },
): Partial<EarlierRequest> {
  // An attempt that another one followed before it was sent.
  if (!held && attempt < latest) return { tasks: [id, ...tasks] }
  const taker = memberName(to)
  return {
    worker: taker,
    attempt,
    held: false,
    opened: at,
    tasks: [...tasks, id],
    unstated: true,
    deadline: held && limit_ms !== null ? at + limit_ms : deadline,
    instead_of: held || taker === worker ? instead_of : { worker, ...(trouble !== undefined && { reason: trouble }) },
  }
}

/** The request in the book, put there with what is known of it when it is new. A round opens with its first request. */
function booked(state: EarlierRequests, fresh: Omit<EarlierRequest, 'round'>): EarlierRequest {
  const isNew = !state.requests.has(fresh.request)
  if (isNew && state.state !== 'gathering')
    Object.assign(state, { round: state.round + 1, deadline: null, began: fresh.opened })
  if (isNew) state.state = 'gathering'
  return getOrMake(state.requests, fresh.request, () => ({ ...fresh, round: state.round }))
}
