/**
 * Whether a value has more levels of lists and objects than are allowed: one that is written or compared by recursion would
 * end a process. `isDeeper([[1]], 1)` → true, `isDeeper([[1]], 2)` → false
 */
export function isDeeper(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true
    level = level.flatMap((part) =>
      typeof part === 'object' && part !== null ? (Object.values(part) as readonly unknown[]) : [],
    )
  }
  return false
}
