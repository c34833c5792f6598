import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sizesOf } from '../../adapters/models/model-sizes.ts'
import { priceOf } from '../../adapters/models/prices.ts'
import type { Usage } from '../../protocol/conversation/message.ts'
import type { ModelSizes } from '../../rules/conversation/answer-length.ts'
import type { ModelOverrides } from './model-overrides.ts'

/** Prices and sizes of models by their full names. */
export interface Pricing {
  /**
   * The price of an answer in dollars, or null for an unknown price. A cost that the vendor told goes before the table;
   * a person's own price can only raise it.
   */
  price(model: string, usage: Usage, told?: number): Promise<number | null>
  sizes(model: string): ModelSizes
}

/**
 * The prices of a person: those of `~/.troupe/models.json`, then the table of the package. The table is loaded when
 * the first answer is priced, so that it keeps no first request waiting.
 *
 * @throws ModelsFileError naming every mistake of that file
 * @example
 * const { price } = await openPricing('/home/ada')
 * await price('anthropic/claude-opus-5', usage)
 */
export async function openPricing(home: string): Promise<Pricing> {
  const own = await ownModels(home)
  return {
    async price(model, usage, told) {
      if (told !== undefined && own[model] === undefined) return told
      const known = (await priceOf(model, own))(usage)
      return told === undefined ? known : Math.max(told, known ?? 0)
    },
    sizes(model) {
      const { max_output, window } = sizesOf(model)
      const said = own[model]
      return { max_output: said?.max_output ?? max_output, window: said?.window ?? window }
    },
  }
}

/** The place of the file in which a person keeps what they know of models. */
export function modelsFileOf(home: string): string {
  return join(home, '.troupe', 'models.json')
}

/** The reader of the file stands on a YAML parser, and is loaded only for people who have such a file. */
async function ownModels(home: string): Promise<ModelOverrides> {
  const file = modelsFileOf(home)
  if (!existsSync(file)) return {}
  const { readModelOverrides } = await import('./model-overrides.ts')
  return (await readModelOverrides(file)) ?? {}
}
