import type { AnyActorRef, InspectionEvent } from 'xstate'
import type { Fact } from '../protocol/fact.ts'

/**
 * Owns the FACT flow out of one root actor: it listens to everything the root and its children emit.
 * 1. What is heard goes to `record` at once and in order; `record` journals before anyone else sees it.
 * 2. An event that no state wants is a fact too (XState would drop it in silence).
 * It never sends an event back.
 */
export function tap(record: (fact: Fact) => void): (inspection: InspectionEvent) => void {
  return (inspection) => {
    if (inspection.type === '@xstate.actor') {
      listen(inspection.actorRef as AnyActorRef, record)
    } else if (inspection.type === '@xstate.microstep') {
      const dropped = inspection._transitions.length === 0 && !inspection.event.type.startsWith('xstate.')
      if (dropped) record(droppedEvent(inspection.actorRef as AnyActorRef, inspection.event.type))
    }
  }
}

function listen(actor: AnyActorRef, record: (fact: Fact) => void): void {
  actor.on('*', (emitted) => record(emitted as Fact))
}

function droppedEvent(actor: AnyActorRef, event: string): Fact {
  const snapshot = actor.getSnapshot() as { value?: unknown }
  return { type: 'event.dropped', actor: actor.id, event, state: JSON.stringify(snapshot.value ?? null) }
}
