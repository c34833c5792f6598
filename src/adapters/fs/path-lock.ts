const tails = new Map<string, Promise<unknown>>()

/**
 * Lets the members of this process change one file after the other, never at the same time.
 *
 * @example await withPathLock('/project/a.txt', () => replace())
 */
export async function withPathLock<Result>(real: string, act: () => Promise<Result>): Promise<Result> {
  const before = tails.get(real) ?? Promise.resolve()
  const turn = before.then(act, act)
  const settled = turn.catch(() => undefined)
  tails.set(real, settled)
  try {
    return await turn
  } finally {
    if (tails.get(real) === settled) tails.delete(real)
  }
}
