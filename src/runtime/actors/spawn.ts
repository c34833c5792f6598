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
import { tap } from './tap.ts'

/** Options of a root actor. */
export interface RootOptions {
  readonly id: string
  readonly clock: Clock
  /** Journals what one step stated and tells the world. */
  readonly record: (facts: readonly Fact[]) => void
  /** Gives the actor what its ports act upon, before it starts. */
  readonly bind?: (actor: AnyActorRef) => void
  /** An uncaught error of the root or any child: the actor is dead, its supervisor hears why. */
  readonly crashed: (error: unknown) => void
}

/** Starts a root actor: the only place that calls `createActor`, so that clock, tap and error observer go in once. */
export function spawnRoot<Logic extends AnyActorLogic>(logic: Logic, input: unknown, root: RootOptions): Actor<Logic> {
  const { inspect: hear, flush } = tap(root.record)
  const inspect = (inspection: InspectionEvent): void => {
    try {
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
