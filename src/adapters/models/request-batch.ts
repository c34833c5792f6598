let next: Promise<void> | undefined

/**
 * Settles at the end of this pass of the event loop, in one moment for all who wait for it. Requests that are written
 * together find the server's process awake after the first of them; to wake it for each costs more than all else
 * that a request costs the processor. One that is alone waits for nobody: the pass ends when nothing is left to do in it.
 */
export function nextBatch(): Promise<void> {
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      next = undefined
      resolve()
    })
  })
  return next
}
