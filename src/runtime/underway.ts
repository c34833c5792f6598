/** What the ports of one root actor are doing. */
export interface Underway {
  /** Does something that ends early when its own signal aborts, or when everything of this root is cut off. */
  attend<Output>(signal: AbortSignal, act: (signal: AbortSignal) => Promise<Output>): Promise<Output>
  /** Aborts what is being done, and what would begin from now on. */
  cutOff(): void
}

/**
 * XState aborts the work of a state that is left, and of an actor that is stopped. A root that failed stops nobody: what
 * its children do is ended from here. Nothing is left behind by work that is over, so a long life costs no more.
 * @example await underway.attend(signal, (ended) => fetch(url, { signal: ended }))
 */
export function openUnderway(): Underway {
  const going = new Set<AbortController>()
  let isOver = false
  return {
    async attend(signal, act) {
      const own = new AbortController()
      const end = (): void => own.abort(signal.reason)
      if (isOver || signal.aborted) end()
      else signal.addEventListener('abort', end, { once: true })
      going.add(own)
      try {
        return await act(own.signal)
      } finally {
        going.delete(own)
        signal.removeEventListener('abort', end)
      }
    },
    cutOff() {
      isOver = true
      for (const own of going) own.abort()
    },
  }
}
