import type { AnyActorRef } from 'xstate'

/** The running work of one root actor's ports. */
export interface InFlight {
  /** Waits for what a port does, which is stopped when everything of this root is cut off. */
  attend<Output>(port: AnyActorRef, doing: Promise<Output>): Promise<Output>
  /** Stops what is being done. */
  cutOff(): void
  /** Resolves when what is being done now is over; null when nothing is. */
  over(): Promise<unknown> | null
}

/**
 * XState stops the work of a state that is left, and of an actor that is stopped. A root that failed stops nobody: what
 * its children do is ended from here. Nothing is left behind by work that is over, so a long life costs no more.
 * @example await inFlight.attend(self, fetch(url, { signal }))
 */
export function openInFlight(): InFlight {
  const going = new Map<AnyActorRef, Promise<unknown>>()
  return {
    async attend(port, doing) {
      going.set(port, doing)
      try {
        return await doing
      } finally {
        going.delete(port)
      }
    },
    cutOff() {
      // The event with which XState itself stops a child: only its parent may ask for that by name.
      for (const port of going.keys()) port.send({ type: 'xstate.stop' })
    },
    over: () => (going.size === 0 ? null : Promise.allSettled(going.values())),
  }
}
