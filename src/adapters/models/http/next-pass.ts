let next: Promise<void> | undefined

/**
 * The end of this pass of the event loop, one moment for all who wait for it. The next steps of many agents are then done in
 * step, the same code for all of them in turn; one after the other, each would go through all the code of a turn with cold
 * caches. One that is alone waits for nobody: a pass without work ends at once.
 */
export function nextPass(): Promise<void> {
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      next = undefined
      resolve()
    })
  })
  return next
}
