import type { MailPriority } from '../../../protocol/mail/envelope.ts'

/** Somebody put mail into a box. A hint: the box itself says what there is. */
export interface Ring {
  readonly priority: MailPriority
}

/** The bell of all mailboxes in one process. */
export interface Doorbell {
  /** Tells the listeners of a member, after the caller's own synchronous work is done. */
  ring(name: string, ring: Ring): void
  /** Listens to a member's bell until the returned function is called. */
  on(name: string, listener: (ring: Ring) => void): () => void
}

/**
 * A bell that spares one process the watcher. Rings are heard in a microtask: whoever sends finishes its own step
 * before the recipient moves.
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
