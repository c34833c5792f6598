/** Digits in a line move with what stands above: they tell no complaint from another. */
function known(line: string): string {
  return line.replace(/\d+/g, '#').trim()
}

/**
 * The lines of a checker that it did not print before the edit, the same line once for each time more.
 *
 * @param before the whole report before, @param after the whole report now
 * @example newComplaints('a.ts(1,1): old', 'a.ts(2,1): old\na.ts(3,1): new') // ['a.ts(3,1): new']
 */
export function newComplaints(before: string, after: string): readonly string[] {
  const left = new Map<string, number>()
  for (const line of before.split('\n')) left.set(known(line), (left.get(known(line)) ?? 0) + 1)
  return after.split('\n').filter((line) => {
    const key = known(line)
    const count = left.get(key) ?? 0
    if (count > 0) left.set(key, count - 1)
    return count === 0 && key !== ''
  })
}
