import type { MailPriority } from '../../../protocol/mail/envelope.ts'

/** A hint that mail came into a box; the box itself is the truth. */
export interface Ring {
  readonly priority: MailPriority
}

/** The doorbell of all mailboxes in one process. */
export interface Doorbell {
  /** Tells the listeners of a member, after the caller's synchronous work. */
  ring(name: string, ring: Ring): void
  /** Listens to a member's bell until the returned function is called. */
  on(name: string, listener: (ring: Ring) => void): () => void
}

/**
 * Makes the doorbell of a process, which needs no watcher for its own mail. Rings are heard in a microtask: the sender
 * finishes its step before the recipient moves.
 * @example const bell = createDoorbell(); bell.on('lead', ({ priority }) => …); bell.ring('lead', { priority: 'normal' })
 */
export function createDoorbell(): Doorbell {
  const listeners = new Map<string, Set<(ring: Ring) => void>>()
  return {
    ring(name, ring) {
      queueMicrotask(() => {
        for (const listener of listeners.get(name) ?? []) listener(ring)
      })
    },
    on(name, listener) {
      const own = listeners.get(name) ?? new Set()
      listeners.set(name, own.add(listener))
      return () => {
        own.delete(listener)
        if (own.size === 0 && listeners.get(name) === own) listeners.delete(name)
      }
    },
  }
}
