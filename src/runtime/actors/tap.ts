import type { AnyActorRef, InspectionEvent } from 'xstate'
import type { Fact } from '../../protocol/facts/fact.ts'

/** The inspection of one root actor. */
export interface Tap {
  readonly inspect: (inspection: InspectionEvent) => void
  /** Records what was heard since the last time. */
  flush(): void
}

/**
 * Owns the FACT flow out of one root actor: it listens to everything the root and its children emit.
 * 1. What is heard goes to `record` in order, and before the next port starts: nothing is done in the world that the
 *    journal does not know the reason of. What one step states between two ports is one batch, hence one write.
 * 2. Nothing is kept back when a step is over.
 * 3. An event that no state wants is a fact too (XState would drop it in silence).
 * It never sends an event back.
 */
export function tap(record: (facts: readonly Fact[]) => void): Tap {
  let heard: Fact[] = []
  const flush = (): void => {
    if (heard.length === 0) return
    const facts = heard
    heard = []
    record(facts)
  }
  return {
    flush,
    inspect(inspection) {
      const actor = inspection.actorRef as AnyActorRef
      if (inspection.type === '@xstate.actor') {
        actor.on('*', (emitted) => heard.push(emitted as Fact))
      } else if (inspection.type === '@xstate.microstep') {
        const isDropped = inspection._transitions.length === 0 && !inspection.event.type.startsWith('xstate.')
        if (isDropped) heard.push(droppedEvent(actor, inspection.event.type))
      } else if (inspection.type === '@xstate.snapshot' || (inspection.type === '@xstate.event' && isPort(actor))) {
        flush()
      }
    },
  }
}

/** Machines only decide; every other actor acts. */
function isPort(actor: AnyActorRef): boolean {
  return !('machine' in (actor.getSnapshot() as object))
}

function droppedEvent(actor: AnyActorRef, event: string): Fact {
  const snapshot = actor.getSnapshot() as { value?: unknown }
  return { type: 'event.dropped', actor: actor.id, event, state: JSON.stringify(snapshot.value ?? null) }
}
