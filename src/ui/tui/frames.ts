/** Between two frames: enough for a reader, and drawing never takes more than two sevenths of the time. */
const restMs = 12
const restPerDrawing = 2.5
const longestRestMs = 200

export interface Frames {
  /** Draws at once: for a key, whose answer comes before whatever else was written. */
  now(): void
  /** Draws soon, however often that is asked for. */
  soon(): void
  close(): void
}

/**
 * When to draw: the first change at once, those that follow together, after a pause in proportion to what drawing took. A slow
 * terminal or a busy machine gets fewer frames, never a queue of them.
 * @param clock milliseconds, for measuring
 */
export function openFrames(draw: () => void, clock: () => number): Frames {
  let timer: NodeJS.Timeout | NodeJS.Immediate | undefined
  let next = 0
  let closed = false
  const cancel = (): void => {
    clearTimeout(timer as NodeJS.Timeout)
    clearImmediate(timer as NodeJS.Immediate)
    timer = undefined
  }
  const now = (): void => {
    cancel()
    if (closed) return
    const began = clock()
    draw()
    const ended = clock()
    next = ended + Math.min(longestRestMs, Math.max(restMs, restPerDrawing * (ended - began)))
  }
  return {
    now,
    soon() {
      if (timer !== undefined || closed) return
      const wait = next - clock()
      // All changes that arrived by now are drawn together.
      timer = wait <= 0 ? setImmediate(now) : setTimeout(now, wait)
    },
    close() {
      closed = true
      cancel()
    },
  }
}
