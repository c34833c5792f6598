import type { AnyActorRef } from 'xstate'

/** What a root actor and all its children share. */
export type System = AnyActorRef['system']

/**
 * What the ports of one root actor act upon, found by the system they run in. Machines are provided with their
 * ports once per process: providing them anew for each member would format every machine again (about 2 ms and
 * 200 kB a member).
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
