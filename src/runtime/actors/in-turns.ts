/**
 * A gate that lets so many pass in each turn of the event loop, in the order in which they came; whoever finds it idle passes at
 * once. It caps nothing: what takes long is soon all under way. But where things end as fast as they begin (members
 * on a quick model) only a few of hundreds are there at the same time, with their connections and their garbage.
 *
 * @param most Who passes in one turn.
 * @returns Waits for its turn.
 * @example
 * const turn = inTurns(4)
 * await turn()
 */
export function inTurns(most: number): () => Promise<void> {
  const waiting: (() => void)[] = []
  let passed = 0
  const letIn = (): void => {
    const now = waiting.splice(0, most)
    passed = now.length
    if (passed > 0) setImmediate(letIn)
    for (const pass of now) pass()
  }
  return async () => {
    if (passed === 0) setImmediate(letIn)
    passed += 1
    if (passed > most) await new Promise<void>((pass) => void waiting.push(pass))
  }
}
