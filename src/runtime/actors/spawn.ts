import {
  createActor,
  type ActorOptions,
  type AnyActorLogic,
  type AnyActorRef,
  type Actor,
  type EventFromLogic,
  type InspectionEvent,
  type Snapshot,
} from 'xstate'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { Clock } from './clock.ts'

/** Options of a root actor. */
interface RootOptions {
  readonly id: string
  readonly clock: Clock
  /** Journals what one step stated and tells the world. */
  readonly record: (facts: readonly Fact[]) => void
  /** Gives the actor what its ports act upon, before it starts. */
  readonly bind?: (actor: AnyActorRef) => void
  /** An uncaught error of the root or any child: the actor is dead, its supervisor hears why. */
  readonly crashed: (error: unknown) => void
  /** Sees every step of the root and its children. */
  readonly watch?: (inspection: InspectionEvent) => void
}

/** Starts a root actor: the only place that calls `createActor`, so that clock, tap and error observer go in once. */
export function spawnRoot<Logic extends AnyActorLogic>(logic: Logic, input: unknown, root: RootOptions): Actor<Logic> {
  const { inspect: hear, flush } = tap(root.record)
  const inspect = (inspection: InspectionEvent): void => {
    try {
      root.watch?.(inspection)
      hear(inspection)
    } catch (error) {
      // Only a throw keeps a port from starting; at the end of a step it would hit whoever told the actor something.
      if (inspection.type === '@xstate.event') throw error
      root.crashed(error)
    }
  }
  const options = { id: root.id, input, clock: root.clock, inspect }
  const actor = createActor(logic, options as unknown as ActorOptions<Logic> & Required<ActorOptions<Logic>>)
  root.bind?.(actor)
  actor.subscribe({
    /** The last words come before the end: who hears of that may close the journal. */
    complete() {
      try {
        flush()
      } catch (error) {
        root.crashed(error)
      }
    },
    error: root.crashed,
  })
  actor.start()
  return actor
}

/**
 * Calls back when a root actor ended in order. Its failure is told to the `crashed` of its options: an observer without an error callback
 * would have XState throw the failure once more, at nobody, and the process would end with it.
 */
export function whenOver(actor: AnyActorRef, complete: () => void): void {
  actor.subscribe({ complete, error: () => undefined })
}

/** Tells a root actor something; one that is over hears nothing any more, which is no mistake of the teller. */
export function tell<Logic extends AnyActorLogic>(actor: Actor<Logic>, event: EventFromLogic<Logic>): void {
  const { status } = actor.getSnapshot() as Snapshot<unknown>
  if (status === 'active') actor.send(event)
}

/** The inspection of one root actor. */
interface Tap {
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

/** The system that a root actor shares with all its children. */
type System = AnyActorRef['system']

/**
 * Dependencies of one root actor's ports, found by the system that the ports run in. Machines are provided with their
 * ports once per process: providing them anew for each member would format every machine again.
 */
export interface PerSystem<World extends object> {
  /** Before the actor starts. */
  bind(actor: AnyActorRef, world: World): void
  /** From now on no port of this actor finds its world, which is returned: what would start does nothing but fail. */
  unbind(actor: AnyActorRef): World | undefined
  /** @throws when the root actor of this system has no world: it never had one, which is a bug, or lost it */
  of(system: System): World
}

export function perSystem<World extends object>(): PerSystem<World> {
  const bound = new WeakMap<System, World>()
  return {
    bind: (actor, world) => void bound.set(actor.system, world),
    unbind(actor) {
      const world = bound.get(actor.system)
      bound.delete(actor.system)
      return world
    },
    of(system) {
      const world = bound.get(system)
      if (!world) throw new Error('this root actor has no world')
      return world
    },
  }
}
