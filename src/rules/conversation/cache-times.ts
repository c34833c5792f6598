import type { CacheTimes, CacheTtl } from '../../protocol/models/model.ts'

/** The grounds for keeping the beginning of an agent's questions for so long. */
interface CacheStory {
  /** A person's own word. */
  readonly ttl: CacheTtl | undefined
  /** The agent has given work to others: it will wait for them. */
  readonly delegates: boolean
  /** The conversation is kept longer already. */
  readonly extended: boolean
}

const shortMs = 5 * 60_000

/**
 * Tools and system prompt of a lead are kept for an hour from its first `Delegate`; its conversation only when its
 * waits were long, since what is kept longer costs more to write.
 */
export function cacheTimes({ ttl, delegates, extended }: CacheStory): CacheTimes | null {
  if (ttl !== undefined) return { head: ttl, talk: ttl }
  return delegates ? { head: '1h', talk: extended ? '1h' : '5m' } : null
}

/** The median of waits that a conversation does not outlive in the cache; null where it does. */
export function longMedian(waits: readonly number[]): number | null {
  const median = waits.toSorted((a, b) => a - b)[Math.floor(waits.length / 2)] ?? 0
  return median > shortMs ? median : null
}
