import type { Recorded } from '../../protocol/facts/entry.ts'

/** A fold whose states of the past can be had again. */
export interface FoldParts<State> {
  empty(): State
  apply(state: State, recorded: Recorded): void
  /** A state of its own: whatever is applied to either of the two leaves the other as it is. */
  copy(state: State): State
}

/** A history of facts, and the states that a fold had in it. */
export interface Keyframes<State> {
  take(recorded: Recorded): void
  /** The state after all facts; the next fact changes it in place. */
  latest(): State
  /** The state after so many facts, until the next question: it is folded on from the nearest copy before it. */
  at(count: number): State
  count(): number
  /** The fact with this number, from 1 on. */
  fact(number: number): Recorded | undefined
}

/** Copies that are kept: with more facts they stand farther apart. */
const mostCopies = 40

/**
 * Keeps copies of a fold's states on the way, so that a state of the past costs a short fold.
 * @param spacing facts between two copies in the beginning
 * @example const frames = keyframed(partsOfMoments(cast)); frames.take(fact); frames.at(1)
 */
export function keyframed<State>(parts: FoldParts<State>, spacing = 256): Keyframes<State> {
  const facts: Recorded[] = []
  const latest = parts.empty()
  let copies: { readonly count: number; readonly state: State }[] = []
  let apart = spacing
  let asked: { count: number; readonly state: State } | null = null
  const keep = (): void => {
    copies.push({ count: facts.length, state: parts.copy(latest) })
    if (copies.length <= mostCopies) return
    apart *= 2
    copies = copies.filter(({ count }) => count % apart === 0)
  }
  const before = (count: number): { count: number; readonly state: State } => {
    const copy = copies.findLast((each) => each.count <= count)
    if (asked !== null && asked.count <= count && asked.count >= (copy?.count ?? 0)) return asked
    return copy === undefined
      ? { count: 0, state: parts.empty() }
      : { count: copy.count, state: parts.copy(copy.state) }
  }
  return {
    take(recorded) {
      facts.push(recorded)
      parts.apply(latest, recorded)
      if (facts.length % apart === 0) keep()
    },
    latest: () => latest,
    at(count) {
      const goal = Math.min(Math.max(0, count), facts.length)
      const from = before(goal)
      for (const each of facts.slice(from.count, goal)) parts.apply(from.state, each)
      from.count = goal
      asked = from
      return from.state
    },
    count: () => facts.length,
    fact: (number) => facts[number - 1],
  }
}
