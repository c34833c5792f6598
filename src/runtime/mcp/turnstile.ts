/** Lets at most so many in at the same time; the others wait in the order in which they came. */
export function turnstile(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let inside = 0
  const queue: (() => void)[] = []
  return async (work) => {
    if (inside >= most) await new Promise<void>((go) => queue.push(go))
    inside += 1
    try {
      return await work()
    } finally {
      inside -= 1
      queue.shift()?.()
    }
  }
}
