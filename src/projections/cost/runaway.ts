/** Turns in a row of which each is dearer than the one before. */
const tellingTurns = 5
/** A conversation that grows costs a little more with every turn; this is more than that. */
const dearer = 1.1

/**
 * Whether an agent's turns become dearer and dearer, by their costs in dollars, oldest first.
 *
 * @example isRunaway([1, 2, 3, 4, 5, 6]) // true
 */
export function isRunaway(costs: readonly number[]): boolean {
  const last = costs.slice(-tellingTurns - 1)
  return (
    last.length > tellingTurns &&
    last.every((cost, turn) => turn === 0 || (cost > 0 && cost >= (last[turn - 1] ?? 0) * dearer))
  )
}

/** `runawayText([0.1, …, 0.6])` names what the first and the last of those turns cost. */
export function runawayText(costs: readonly number[]): string {
  const [first = 0] = costs.slice(-tellingTurns)
  const last = costs.at(-1) ?? 0
  return `each of the last ${tellingTurns} turns was dearer than the one before: from $${first.toFixed(4)} to $${last.toFixed(4)}`
}
