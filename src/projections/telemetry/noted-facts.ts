import type { Entry } from '../../protocol/facts/entry.ts'
import type { Attributes, SpanEvent } from '../../protocol/telemetry/trace-span.ts'

/** Facts that stand as events in the span during which they happened. */
const noted: ReadonlySet<Entry['type']> = new Set<Entry['type']>([
  'agent.started',
  'agent.ended',
  'budget.warned',
  'budget.exhausted',
  'call.refused',
  'call.retried',
  'call.limited',
  'context.compacted',
  'gather.opened',
  'gather.settled',
  'mail.died',
  'member.crashed',
  'member.hung',
  'member.idled',
  'member.lost',
  'member.refused',
  'member.spawned',
  'member.stopped',
  'model.escalated',
  'model.fell_back',
  'model.given_up',
  'model.paused',
  'model.resumed',
  'model.retried',
  'request.opened',
  'request.settled',
  'team.reopened',
  'turns.undone',
  'verify.settled',
  'breaker.opened',
  'breaker.closed',
])

/** Fields that hold words of a list, names of the team file, ids and numbers: nothing that anybody wrote. */
const plain: ReadonlySet<string> = new Set(
  (
    'turn attempt delay_ms scope unit trigger before after verdict status worker ' +
    'member request from to model tool call_id limit silent_ms kind provider depth'
  ).split(' '),
)

/** The fact as an event of a span, or null. */
export function noteworthy(entry: Entry): SpanEvent | null {
  if (!noted.has(entry.type)) return null
  const attributes: Record<string, Attributes[string]> = { 'troupe.entry.id': entry.id }
  for (const [name, value] of Object.entries(entry)) {
    if (plain.has(name) && (typeof value === 'string' || typeof value === 'number'))
      attributes[`troupe.${name}`] = value
  }
  if ('failure' in entry && entry.failure) attributes['error.type'] = entry.failure.code
  if ('why' in entry && typeof entry.why === 'string') attributes['troupe.why'] = entry.why
  if (entry.type === 'agent.ended') attributes['troupe.reason'] = entry.reason
  return { name: entry.type, at: entry.at, attributes }
}
