import type { AnyActorRef } from 'xstate'

/** The system that a root actor shares with all its children. */
export type System = AnyActorRef['system']

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
