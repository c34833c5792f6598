let next: Promise<void> | undefined

/**
 * Settles at the end of this pass of the event loop, in one moment for all who wait for it. What many agents are to do next is then
 * done in step, the same code for all of them in turn: one after the other, each would go through all the code of a turn with cold
 * caches, which takes a good third more of the processor. One that is alone waits for nobody: a pass without work ends at once.
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
