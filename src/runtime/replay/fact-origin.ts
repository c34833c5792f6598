import type { Entry } from '../../protocol/facts/entry.ts'
import { callsOf } from '../../protocol/conversation/message.ts'
import { wordsTool } from '../../protocol/tools/own-question.ts'

/** The origin of a recorded fact: a machine states it, a port notes it, or it may be either. */
export type FactOrigin = 'stated' | 'noted' | 'either'

const stated: ReadonlySet<string> = new Set([
  'agent.started',
  'agent.parked',
  'agent.ended',
  'message.appended',
  'message.tombstoned',
  'model.requested',
  'model.settled',
  'model.escalated',
  'turn.continued',
  'turn.overflowed',
  'permission.requested',
  'permission.decided',
  'call.started',
  'call.finished',
  'call.coerced',
  'call.refused',
  'call.retried',
  'call.reused',
  'call.limited',
  'verify.started',
  'verify.settled',
  'member.started',
  'member.woke',
  'member.idled',
  'member.replied',
  'member.drained',
  'member.gone',
])

const statedWarnings: ReadonlySet<string> = new Set([
  'compaction_failed',
  'stop_hooks_failed',
  'stop_failure_failed',
  'verify_failed',
  'prompt_refused',
])

/** The origin of each entry of a life. */
export function originsOf(entries: readonly Entry[]): readonly FactOrigin[] {
  const own = new Set<string>()
  let withdraws = false
  return entries.map((entry) => {
    const isWithdrawn = withdraws
    withdraws = entry.type === 'warning.raised' && entry.code === 'hook_stopped'
    if (entry.type === 'warning.raised') return statedWarnings.has(entry.code) ? 'stated' : 'noted'
    if (!stated.has(entry.type)) return 'noted'
    if (entry.type === 'message.tombstoned') return isWithdrawn ? 'noted' : 'stated'
    if (entry.type === 'message.appended') {
      const { message } = entry
      if (message.role === 'user') return message.origin === 'person' ? 'stated' : 'either'
      if (message.role === 'assistant') for (const { id } of callsOf(message)) own.add(id)
    }
    if (entry.type === 'verify.started') own.add(entry.call_id)
    const call = 'call_id' in entry ? entry.call_id : undefined
    return call !== undefined && (!own.has(call) || isOwnQuestion(entry, own)) ? 'noted' : 'stated'
  })
}

/** A question that a running tool puts to a person, and the answer; `known` remembers the question by its request. */
function isOwnQuestion(entry: Entry, known: Set<string>): boolean {
  const asks = entry.type === 'permission.requested' && entry.tool === wordsTool
  if (asks && entry.decision.source === 'bounds') {
    known.add(`request ${entry.request}`)
    return true
  }
  return entry.type === 'permission.decided' && entry.request !== undefined && known.has(`request ${entry.request}`)
}
