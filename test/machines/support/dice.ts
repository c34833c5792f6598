/** A whole number below `sides`. */
export type Dice = (sides: number) => number

/** One of the items; none of an empty list. */
export function pick<Item>(draw: Dice, items: readonly Item[]): Item | undefined {
  return items.length === 0 ? undefined : items[draw(items.length)]
}

/** Whole numbers below `sides`, the same for the same seed (mulberry32). */
export function dice(seed: number): Dice {
  let state = seed >>> 0
  return (sides) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
}
