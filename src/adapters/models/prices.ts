import type { Usage } from '../../protocol/conversation/message.ts'

/** Price and size of a model, as `troupe models` shows them. Prices are dollars per million tokens. */
export interface ModelCard {
  /** `provider/model`, ready for a team file. */
  readonly name: string
  readonly window: number | null
  readonly input: number | null
  readonly output: number | null
}

/** The cost in dollars of what a model used; null when nobody knows its price. */
export type Price = (usage: Usage) => number | null

/** Prices that go before the built-in ones, by `provider/model`; dollars per million tokens. */
export type PriceOverrides = Readonly<Record<string, OwnPrice>>

interface OwnPrice {
  readonly input: number
  readonly output: number
  readonly cache_read?: number | undefined
  readonly cache_write?: number | undefined
  readonly window?: number | undefined
}

const noOverrides: PriceOverrides = {}

/**
 * The price of one model. The table is loaded on the first call and comes with the package: nothing is fetched.
 *
 * @param name `provider/model`
 *
 * @example
 * const price = await priceOf('anthropic/claude-opus-5')
 * price({ input: 1_000, output: 100, cache_read: 0, cache_write: 0 })   // dollars, or null
 */
export async function priceOf(name: string, overrides = noOverrides): Promise<Price> {
  const own = overrides[name]
  if (own) return withSearches((usage) => ownCost(own, usage))
  const [provider = '', ...rest] = name.split('/')
  // The cost of a person's own server is unknown; a cassette may be recording a model that costs.
  if (provider === 'scripted') return () => 0
  const seller = sellers.get(provider)
  if (seller === undefined) return () => null
  const price = tabled.get(name) ?? tablePrice(seller, rest.join('/')).then(withSearches)
  tabled.set(name, price)
  return price
}

/** Dollars of one search at Anthropic's and at OpenAI's; what is found counts as input. */
const searchPrice = 0.01

function withSearches(price: Price): Price {
  return (usage) => {
    const cost = price(usage)
    return cost === null ? null : cost + (usage.searches ?? 0) * searchPrice
  }
}

/** Looked up once for all who ask the same model: the table compares a name with the patterns of all its models. */
const tabled = new Map<string, Promise<Price>>()

async function tablePrice(provider: string, model: string): Promise<Price> {
  const { calcPrice } = await import('@pydantic/genai-prices')
  const found = calcPrice({ input_tokens: 0, output_tokens: 0 }, model, { providerId: provider })
  if (!found) return () => null
  const only = { ...found.provider, models: [found.model] }
  return ({ input, output, cache_read, cache_write }) => {
    const input_tokens = input + cache_read + cache_write
    const counts = {
      input_tokens,
      output_tokens: output,
      cache_read_tokens: cache_read,
      cache_write_tokens: cache_write,
    }
    return calcPrice(counts, model, { provider: only })?.total_price ?? null
  }
}

/** The models that the table knows of the providers that are sold by the token, and those of the overrides. */
export async function pricedModels(overrides = noOverrides): Promise<readonly ModelCard[]> {
  const { findProvider } = await import('@pydantic/genai-prices')
  const known = [...soldBy].flatMap((providerId) =>
    (findProvider({ providerId })?.models ?? [])
      .filter((model) => model.deprecated !== true && converses(model))
      .map(({ id, context_window, prices }) => ({
        name: `${providerId}/${id}`,
        window: context_window ?? null,
        input: baseRate(prices, 'input_mtok'),
        output: baseRate(prices, 'output_mtok'),
      })),
  )
  const own = Object.entries(overrides).map(([name, { input, output, window }]) => {
    return { name, input, output, window: window ?? known.find((card) => card.name === name)?.window ?? null }
  })
  const kept = known.filter(({ name }) => overrides[name] === undefined)
  return [...kept, ...own].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Providers whose models are listed. */
const soldBy: ReadonlySet<string> = new Set(['anthropic', 'openai'])

/** Names of providers in the table. A deployment of Azure has a name of its own, and whoever serves Claude prices it alike. */
const sellers: ReadonlyMap<string, string> = new Map([
  ['anthropic', 'anthropic'],
  ['openai', 'openai'],
  ['bedrock', 'aws'],
  ['vertex', 'google'],
  ['foundry', 'anthropic'],
  ['openrouter', 'openrouter'],
  ['groq', 'groq'],
  ['deepseek', 'deepseek'],
  ['mistral', 'mistral'],
  ['xai', 'x-ai'],
  ['cerebras', 'cerebras'],
  ['together', 'together'],
  ['gemini', 'google'],
])

/** Agents need a model that reads and writes text. */
function converses({ id, context_window, prices }: { id: string; context_window?: number; prices: unknown }): boolean {
  const other = /audio|realtime|transcribe|tts|image|instruct|embedding|computer-use|vision|search|safeguard/
  return context_window !== undefined && baseRate(prices, 'output_mtok') !== null && !other.test(id)
}

function ownCost(rates: PriceOverrides[string], usage: Usage): number {
  const { input, output, cache_read = input, cache_write = input } = rates
  const read = usage.cache_read * cache_read
  return (usage.input * input + usage.output * output + read + usage.cache_write * cache_write) / 1_000_000
}

/** The price below all tiers; where it depends on the time, the latest. */
function baseRate(prices: unknown, key: string): number | null {
  const last: unknown = Array.isArray(prices) ? (prices as { prices?: unknown }[]).at(-1)?.prices : prices
  const found: unknown = last instanceof Object ? (last as Record<string, unknown>)[key] : undefined
  if (typeof found === 'number') return found
  const base: unknown = found instanceof Object && 'base' in found ? found.base : null
  return typeof base === 'number' ? base : null
}
