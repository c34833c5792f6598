import { tokensOf } from '../cost/cost.ts'
import { foldOverPaid } from '../cost/paid.ts'

/** Sums of a run at one time: dollars, and tokens by kind. */
export interface SpendingPoint {
  readonly at: number
  /** Dollars of the calls whose price is known. */
  readonly usd: number
  readonly input: number
  readonly output: number
  readonly cache_read: number
  readonly cache_write: number
}

/** The sums of a run after each call that cost something, in order. */
export type SpendingLine = SpendingPoint[]

const nothingYet: Omit<SpendingPoint, 'at'> = { usd: 0, input: 0, output: 0, cache_read: 0, cache_write: 0 }

/** Takes one recorded fact into the sums. */
export const applySpendingLine = foldOverPaid((line: SpendingLine, { at, usage, cost_usd }) => {
  if (tokensOf(usage) === 0 && (cost_usd ?? 0) === 0) return
  const last = line.at(-1) ?? nothingYet
  line.push({
    at,
    usd: last.usd + (cost_usd ?? 0),
    input: last.input + usage.input,
    output: last.output + usage.output,
    cache_read: last.cache_read + usage.cache_read,
    cache_write: last.cache_write + usage.cache_write,
  })
})

/** The part of the prompts that came from a cache, from 0 to 1; null before there was any. */
export function cacheHits({
  input,
  cache_read,
  cache_write,
}: Pick<SpendingPoint, 'input' | 'cache_read' | 'cache_write'>): number | null {
  const prompts = input + cache_read + cache_write
  return prompts === 0 ? null : cache_read / prompts
}
