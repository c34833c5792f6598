import type { AnyActorRef } from 'xstate'

/** What the ports of one root actor are doing. */
export interface Underway {
  /** Waits for what a port does, which is stopped when everything of this root is cut off. */
  attend<Output>(port: AnyActorRef, doing: Promise<Output>): Promise<Output>
  /** Stops what is being done. */
  cutOff(): void
}

/**
 * XState stops the work of a state that is left, and of an actor that is stopped. A root that failed stops nobody: what
 * its children do is ended from here. Nothing is left behind by work that is over, so a long life costs no more.
 * @example await underway.attend(self, fetch(url, { signal }))
 */
export function openUnderway(): Underway {
  const going = new Set<AnyActorRef>()
  return {
    async attend(port, doing) {
      going.add(port)
      try {
        return await doing
      } finally {
        going.delete(port)
      }
    },
    cutOff() {
      // The event with which XState itself stops a child: only its parent may ask for that by name.
      for (const port of going) port.send({ type: 'xstate.stop' })
    },
  }
}
