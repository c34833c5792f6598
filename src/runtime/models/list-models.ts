import { providers } from '../../rules/settings/known-providers.ts'
import { sizesOf } from '../../adapters/models/model-sizes.ts'
import { pricedModels as listCards, type ModelCard } from '../../adapters/models/prices.ts'
import { readModelOverrides } from './model-overrides.ts'
import { modelsFileOf } from './pricing.ts'

/** A provider by the name in `provider/…`, and whether it can be reached from here. */
export interface ListedProvider {
  readonly name: string
  /** The environment variable that it needs; its value is nowhere shown. */
  readonly variable: string | null
  /** The variable is set, or none is needed. */
  readonly ready: boolean
}

/** A known model. Sizes are tokens, prices dollars per million tokens; null is what nobody said. */
export interface ListedModel extends ModelCard {
  readonly max_output: number | null
}

export interface ModelList {
  readonly providers: readonly ListedProvider[]
  readonly models: readonly ListedModel[]
  /** The person's own file of models, when there is one. */
  readonly file: string | null
}

export interface ListModelsOptions {
  readonly home: string
  /** Where credentials are looked up. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Words that a model's name must hold, upper and lower case alike. */
  readonly filter?: string
}

/**
 * The models that are known: those of the table that comes with the package, and those of `~/.troupe/models.json`,
 * which goes first. Nothing is asked of any server.
 *
 * @throws ModelsFileError when that file holds a mistake
 * @example
 * const { models } = await listModels({ home: '/home/ada', env: process.env, filter: 'opus' })
 */
export async function listModels({ home, env, filter = '' }: ListModelsOptions): Promise<ModelList> {
  const file = modelsFileOf(home)
  const own = await readModelOverrides(file)
  const words = filter.toLowerCase().split(/\s+/)
  const cards = await listCards(own ?? {})
  return {
    providers: providers.map(({ name, variable }) => ({
      name,
      variable,
      ready: variable === null || Boolean(env[variable]),
    })),
    models: cards
      .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
      .map((card) => ({ ...card, max_output: own?.[card.name]?.max_output ?? sizesOf(card.name).max_output })),
    file: own === null ? null : file,
  }
}
