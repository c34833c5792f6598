import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { priceOf, type PriceOverrides } from '../../adapters/models/prices.ts'
import type { Usage } from '../../protocol/conversation/message.ts'

/** The price of a model's answer in dollars, or null for an unknown price. */
export type Pricing = (model: string) => (usage: Usage) => Promise<number | null>

/**
 * The prices of a person: those of `~/.troupe/models.json`, then the table of the package. The table is loaded when
 * the first answer is priced, so that it keeps no first request waiting.
 *
 * @throws ModelsFileError naming every mistake of that file
 * @example
 * const price = (await openPricing('/home/ada'))('anthropic/claude-opus-5')
 */
export async function openPricing(home: string): Promise<Pricing> {
  const own = await ownPrices(home)
  return (model) => async (usage) => (await priceOf(model, own))(usage)
}

/** The place of the file in which a person keeps what they know of models. */
export function modelsFileOf(home: string): string {
  return join(home, '.troupe', 'models.json')
}

/** The reader of the file stands on a YAML parser, and is loaded only for people who have such a file. */
async function ownPrices(home: string): Promise<PriceOverrides> {
  const file = modelsFileOf(home)
  if (!existsSync(file)) return {}
  const { pricesOf, readModelOverrides } = await import('./model-overrides.ts')
  return pricesOf((await readModelOverrides(file)) ?? {})
}
