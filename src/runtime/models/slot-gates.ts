/**
 * Owns the order in which the members of a process ask a server that answers only so many requests at a time: a request
 * that waits at the server would use up the time in which its answer has to begin.
 */
export interface SlotGate {
  /**
   * Resolves when a slot is free, or when nobody waits for the answer any more.
   * @param slots how many requests the server answers at a time
   * @returns gives the slot back; a second call does nothing
   */
  enter(slots: number, signal: AbortSignal): Promise<() => void>
}

/** @example const leave = await openSlotGate().enter(1, signal) */
export function openSlotGate(): SlotGate {
  const queue: ((isFree: boolean) => void)[] = []
  let taken = 0
  const give = (): void => {
    const next = queue.shift()
    if (next) next(true)
    else taken -= 1
  }
  return {
    async enter(slots, signal) {
      if (signal.aborted) return ignored
      if (taken < slots) taken += 1
      else if (!(await turnIn(queue, signal))) return ignored
      let isIn = true
      return () => {
        if (isIn) give()
        isIn = false
      }
    },
  }
}

/** Resolves with whether a slot was handed over. */
async function turnIn(queue: ((isFree: boolean) => void)[], signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const leave = (): void => {
    const place = queue.indexOf(resolve)
    if (place >= 0) queue.splice(place, 1)
    resolve(false)
  }
  signal.addEventListener('abort', leave, { once: true })
  queue.push(resolve)
  const isFree = await promise
  signal.removeEventListener('abort', leave)
  return isFree
}

function ignored(): void {}
