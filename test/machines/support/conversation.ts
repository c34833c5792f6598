import type { Fact, FactOf } from '../../../src/protocol/facts/fact.ts'
import { callsOf, type Message } from '../../../src/protocol/conversation/message.ts'
import { factsOf, type Effect } from './walk.ts'

/** Everything that is wrong with what an agent stated and asked for so far; empty when nothing is. */
export function faultsOf(effects: readonly Effect[], ended: boolean): readonly string[] {
  const facts = factsOf(effects)
  return [...messageFaults(messagesOf(facts), ended), ...orderFaults(facts, ended), ...callFaults(effects)]
}

export function messagesOf(facts: readonly Fact[]): readonly Message[] {
  return facts.flatMap((fact) => (fact.type === 'message.appended' ? [fact.message] : []))
}

/** Every call is answered once, by the message right after it, in order; failures never enter. */
function messageFaults(messages: readonly Message[], ended: boolean): readonly string[] {
  const faults: string[] = []
  for (const [index, message] of messages.entries()) {
    const next = messages[index + 1]
    if (message.role === 'assistant') {
      if (message.failure !== undefined || message.stop === 'error' || message.stop === 'aborted') {
        faults.push('a failed answer entered the conversation')
      }
      const calls = callsOf(message).map((call) => call.id)
      if (calls.length === 0) continue
      const results = next?.role === 'tool' ? next.results.map((result) => result.call_id) : null
      if (results === null && (ended || next !== undefined)) faults.push('calls without results')
      if (results !== null && results.join() !== calls.join())
        faults.push(`results ${results.join()} for ${calls.join()}`)
    }
    if (message.role === 'tool' && messages[index - 1]?.role !== 'assistant') faults.push('results without calls')
  }
  return faults
}

/** One start, first; one end, last; every request closed before the next. */
function orderFaults(facts: readonly Fact[], ended: boolean): readonly string[] {
  const faults: string[] = []
  const types = facts.map((fact) => fact.type)
  if (types.indexOf('agent.started') !== 0 || types.lastIndexOf('agent.started') !== 0) faults.push('start not first')
  const end = types.indexOf('agent.ended')
  if (ended && (end !== types.length - 1 || end === -1)) faults.push('end not last')
  if (!ended && end !== -1) faults.push('ended too early')
  let open = false
  for (const type of types) {
    if (type === 'model.requested' && open) faults.push('a request inside a request')
    if (type === 'model.requested') open = true
    if (type === 'model.settled' && !open) faults.push('an answer without a request')
    if (type === 'model.settled' || type === 'turn.continued' || type === 'agent.ended') open = false
  }
  return faults
}

/** The assistant message stands before its tools start; all of them are stopped before their results stand. */
function callFaults(effects: readonly Effect[]): readonly string[] {
  const faults: string[] = []
  const living = new Set<string>()
  let last: Fact | undefined
  for (const effect of effects) {
    if (effect.kind === 'fact') {
      if (isToolMessage(effect.fact) && living.size > 0) faults.push(`results while ${[...living].join()} live`)
      if (effect.fact.type !== 'call.finished' && effect.fact.type !== 'model.settled') last = effect.fact
    }
    if (effect.kind === 'start' && effect.src === 'toolCall') {
      if (living.size === 0 && !isAssistant(last)) faults.push(`${effect.id} started before its message stood`)
      living.add(effect.id)
    }
    if (effect.kind === 'start' && effect.src === 'ask' && last?.type !== 'model.requested')
      faults.push('unsaid request')
    if (effect.kind === 'stop') living.delete(effect.id)
  }
  return faults
}

function isToolMessage(fact: Fact): fact is FactOf<'message.appended'> {
  return fact.type === 'message.appended' && fact.message.role === 'tool'
}

function isAssistant(fact: Fact | undefined): boolean {
  return fact?.type === 'message.appended' && fact.message.role === 'assistant'
}
