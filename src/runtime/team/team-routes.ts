import type { CoordinatorEvent } from '../../../machines/coordinator/coordinator.ts'
import type { TeamEvent } from '../../../machines/team/team.ts'
import { foldOver, ignore, hearing, type EntryOf } from '../../projections/fold/fold.ts'
import { leaderName, memberName } from '../../protocol/words/ids.ts'
import { longestResult, withResults } from '../../rules/team/task-text.ts'
import { cutsShort } from '../../rules/team/call-budget.ts'
import { isGatherNote, reasonIn } from '../../rules/team/gather-note.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'

/** The actors of the leader that want to hear what happened. */
export interface FactListeners {
  readonly lead: string
  team(event: TeamEvent): void
  /** Mail to this member starts nobody: it runs, or will in a moment. */
  isUp(member: string): boolean
  coordinator(event: CoordinatorEvent): void
  /** A round of requests is over: the lead is to be told of its results, and a parked one goes on. */
  briefLead(settled: EntryOf<'gather.settled'>): void
}

/** Carries facts to the leader's machines as events: the only place where what happened becomes news. */
export const routeFact = foldOver<
  FactListeners,
  'mail' | 'model' | 'conversation' | 'life' | 'loop' | 'request' | 'gather' | 'budget'
>({
  'mail.sent': (listeners, entry, owner) => {
    const { envelope, at } = entry
    const member = memberName(envelope.to)
    const { lead, isUp, team } = listeners
    // The leader reads its own box.
    if (member !== leaderName && !isUp(member)) team({ type: 'member.addressed', member, by: owner, at })
    // A result counts as soon as it is written, whatever the lead is doing.
    if (member === lead) routeResult(listeners, entry)
  },
  'mail.received': ignore,
  'mail.handled': ignore,
  'mail.died': ({ team }, { kind, at }, owner) => {
    // A task that its sender took back is missed by no member.
    if (owner === leaderName && kind === 'task') return
    team({ type: 'mail.failed', at })
  },
  'member.replied': ignore,
  'model.requested': (listeners, entry, owner) => {
    if (owner === listeners.lead) listeners.coordinator({ type: 'lead.asked', at: entry.at })
  },
  'message.appended': ({ lead, coordinator }, { message, at }, owner) => {
    if (owner === lead && isGatherNote(message)) coordinator({ type: 'lead.briefed', at })
  },
  'message.tombstoned': ignore,
  'model.settled': ignore,
  'budget.leased': ignore,
  'budget.returned': ignore,
  'budget.warned': ignore,
  'budget.exhausted': ({ team }, entry) => {
    if (cutsShort(entry)) team({ type: 'budget.spent', what: entry.unit, at: entry.at })
  },
  'member.started': ignore,
  'member.spawned': ignore,
  'member.crashed': ignore,
  'member.drained': ignore,
  'member.woke': ({ lead, team, coordinator }, { at }, owner) => {
    if (owner === lead) coordinator({ type: 'lead.woke', at })
    team({ type: 'member.woke', member: owner, at })
  },
  'member.idled': ({ lead, team, coordinator }, { at }, owner) => {
    if (owner === lead) coordinator({ type: 'lead.idled', at })
    team({ type: 'member.idled', member: owner, at })
  },
  'member.gone': ({ team }, { at }, owner) => {
    team({ type: 'member.gone', member: owner, at })
  },
  'member.stopped': ignore,
  'member.lost': ({ coordinator }, { member, reason, at }) => {
    coordinator({ type: 'member.lost', member, reason, at })
  },
  'member.refused': ({ coordinator }, { member, reason, at }) => {
    coordinator({ type: 'member.refused', member, reason, at })
  },
  'agent.started': ignore,
  // A worker that waits for parts of its work takes no place of those at work.
  'agent.parked': ({ lead, team }, { at }, owner) => {
    if (owner !== lead) team({ type: 'member.idled', member: owner, at })
  },
  'turn.continued': ({ lead, team }, { reason, at }, owner) => {
    if (owner !== lead && (reason === 'mail' || reason === 'steered')) team({ type: 'member.woke', member: owner, at })
  },
  // While a run goes on, only a person's "deny and stop" ends the lead in the middle of its tools.
  'agent.ended': ({ lead, team }, { reason, at }, owner) => {
    if (owner === lead) team({ type: 'lead.ended', reason, refused: reason === 'aborted_tools', at })
  },
  'request.opened': ({ coordinator }, entry) => {
    coordinator(entry)
  },
  'request.held': ({ coordinator }, entry) => {
    coordinator(entry)
  },
  'request.settled': ({ team }, { at }) => {
    team({ type: 'request.settled', at })
  },
  'gather.opened': ignore,
  'gather.settled': ({ team, briefLead }, entry) => {
    const { why, reason = '', at } = entry
    briefLead(entry)
    if (why === 'failed') team({ type: 'gather.failed', reason: `request_failed: ${reason}`, at })
  },
  'coordinator.moved': ignore,
  'lead.nudged': ignore,
})

function routeResult({ coordinator }: FactListeners, { envelope, at }: EntryOf<'mail.sent'>): void {
  const { kind, request, status = 'done', body, reply_to, amends = false } = envelope
  if (kind !== 'result' || request === undefined || amends) return
  const reason = status === 'done' ? {} : { reason: reasonIn(body) }
  coordinator({ type: 'result.received', request, ...(reply_to && { task: reply_to }), status, ...reason, at })
}

/** A task, result or answer that was sent and will never be read. */
export interface DeadResult {
  readonly envelope: Envelope
  readonly died: EntryOf<'mail.died'>
}

type ResultReceived = Extract<CoordinatorEvent, { type: 'result.received' }>

/** Results that were given up, as far as a run has come. */
export function deadResultsIn(recorded: readonly Recorded[]): readonly DeadResult[] {
  const dead: DeadResult[] = []
  const follow = followResults((result) => dead.push(result))
  for (const each of recorded) follow(each)
  return dead
}

/**
 * Tells of results that are given up from now on.
 * @param earlier what was recorded before somebody leads the run on: some of it may be on its way still
 */
export function deadResults(
  earlier: readonly Recorded[],
  tell: (dead: DeadResult) => void,
): (recorded: Recorded) => void {
  let isEarlier = true
  const follow = followResults((dead) => {
    if (!isEarlier) tell(dead)
  })
  for (const recorded of earlier) follow(recorded)
  isEarlier = false
  return follow
}

/** For the coordinator it is the end of its request. */
export function endOfRequest({ envelope, died: { reason, at } }: DeadResult): ResultReceived | null {
  const { request, kind, id } = envelope
  // An answer is for the worker that handed on a part of its work.
  if (kind === 'answer') return null
  const task = kind === 'task' ? { task: id } : {}
  return request === undefined ? null : { type: 'result.received', request, ...task, status: 'failed', reason, at }
}

/** Kinds that somebody waits for: the result of a task as well as the task. */
const awaited = new Set<Envelope['kind']>(['result', 'answer', 'task'])

/**
 * Follows awaited mail on its way: what its sender's journal says was sent and its recipient's says had to be given up.
 * The file itself is not believed; it may be torn or forged. A task that its sender took back, or that was handed out once
 * more since, is awaited no longer.
 */
function followResults(tell: (dead: DeadResult) => void): (recorded: Recorded) => void {
  const inFlight = new Map<string, Envelope>()
  const handedOut = new Map<string, string>()
  return hearing({
    'mail.sent'({ envelope }) {
      if (awaited.has(envelope.kind)) inFlight.set(envelope.id, envelope)
    },
    'mail.received': ({ envelope }) => void inFlight.delete(envelope.id),
    'request.opened': ({ request, mail_id }) => void handedOut.set(request, mail_id),
    'mail.died'(died, owner) {
      const envelope = inFlight.get(died.mail_id ?? '')
      if (!envelope) return
      inFlight.delete(envelope.id)
      const latest = handedOut.get(envelope.request ?? '') ?? envelope.id
      if (envelope.kind === 'task' && (owner === leaderName || latest !== envelope.id)) return
      tell({ envelope, died })
    },
  })
}

/** The message to the coordinator about mail that could not be delivered: a result or an answer is quoted in it. */
export function deadResultText({ envelope, died }: DeadResult): string {
  const { from, to, kind, id } = envelope
  const head = `The ${kind} ${id} from ${from} to ${to} could not be delivered: ${died.reason}.`
  return kind === 'task' ? `${head} Ask ${from} again if it is needed.` : withResults(head, [envelope], longestResult)
}
