/** The properties of a run that decide whether it is kept. */
export interface RunWeight {
  readonly id: string
  /** Milliseconds since the epoch; null when nobody knows, then it counts as the oldest. */
  readonly created: number | null
  readonly bytes: number
  readonly running: boolean
}

/** How much is kept; what is not said limits nothing. */
export interface Retention {
  readonly olderThanMs?: number | undefined
  /** So many of the newest stay, however old they are. */
  readonly keep?: number | undefined
  /** The most bytes of all runs together; the oldest go first. */
  readonly maxBytes?: number | undefined
}

/**
 * Which runs are not kept: those that are too old, too many or too heavy, the newest `keep` excepted. A running one is
 * always kept.
 * @example retired(runs, { olderThanMs: 30 * 86_400_000, keep: 20 }, now)
 */
export function retired(runs: readonly RunWeight[], retention: Retention, now: number): readonly string[] {
  const { olderThanMs, keep, maxBytes } = retention
  const newestFirst = runs.toSorted((a, b) => (b.created ?? 0) - (a.created ?? 0))
  let bytes = 0
  return newestFirst.flatMap(({ id, created, running, bytes: own }, index) => {
    bytes += own
    if (running || (keep !== undefined && index < keep)) return []
    const old = olderThanMs !== undefined && now - (created ?? 0) > olderThanMs
    const heavy = maxBytes !== undefined && bytes > maxBytes
    const many = keep !== undefined && olderThanMs === undefined && maxBytes === undefined
    if (!old && !heavy && !many) return []
    bytes -= own
    return [id]
  })
}
