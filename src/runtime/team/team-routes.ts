import type { CoordinatorEvent } from '../../../machines/coordinator/coordinator.ts'
import type { TeamEvent } from '../../../machines/team/team.ts'
import { foldOver, ignore, type EntryOf } from '../../projections/fold/fold.ts'
import { leaderName, memberName } from '../../protocol/words/ids.ts'
import { textOf } from '../../protocol/conversation/message.ts'
import { cutsShort } from '../../rules/team/call-budget.ts'
import { reasonIn, wantsMore } from '../../rules/team/gather-note.ts'

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
  'mail.sent': ({ team, isUp }, { envelope, at }, owner) => {
    const member = memberName(envelope.to)
    // The leader reads its own box.
    if (member !== leaderName && !isUp(member)) team({ type: 'member.addressed', member, by: owner, at })
  },
  'mail.received': (listeners, entry, owner) => {
    if (owner === listeners.lead) routeResult(listeners, entry)
  },
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
  'message.appended': (listeners, { message, at }, owner) => {
    if (owner !== listeners.lead || message.role !== 'assistant') return
    if (wantsMore(textOf(message))) listeners.coordinator({ type: 'lead.wants_more', at })
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
  'member.lost': ({ coordinator }, { member, reason, at }) => {
    coordinator({ type: 'member.lost', member, reason, at })
  },
  'member.refused': ({ coordinator }, { member, reason, at }) => {
    coordinator({ type: 'member.refused', member, reason, at })
  },
  'agent.started': ignore,
  'agent.parked': ignore,
  'turn.continued': ignore,
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

function routeResult({ coordinator }: FactListeners, { envelope, at }: EntryOf<'mail.received'>): void {
  const { kind, request, status = 'done', body } = envelope
  if (kind !== 'result' || request === undefined) return
  const reason = status === 'done' ? {} : { reason: reasonIn(body) }
  coordinator({ type: 'result.received', request, status, ...reason, at })
}
