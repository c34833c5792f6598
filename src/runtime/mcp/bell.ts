/** An event that happens again and again, for those who wait for the next time. */
export interface Bell {
  ring(): void
  /** Resolves at the next ring, or when the signal is aborted. */
  rung(signal: AbortSignal): Promise<void>
}

export function openBell(): Bell {
  const waiting = new Set<() => void>()
  return {
    ring() {
      for (const heard of waiting) heard()
      waiting.clear()
    },
    rung: (signal) =>
      new Promise((resolve) => {
        const heard = (): void => {
          waiting.delete(heard)
          signal.removeEventListener('abort', heard)
          resolve()
        }
        if (signal.aborted) resolve()
        else waiting.add(heard)
        signal.addEventListener('abort', heard, { once: true })
      }),
  }
}
