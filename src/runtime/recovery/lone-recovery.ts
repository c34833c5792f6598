import { openModel } from '../../adapters/models/catalog.ts'
import type { Pause } from '../../projections/pause.ts'
import type { Fact } from '../../protocol/fact.ts'
import type { Model } from '../../protocol/model.ts'
import { defaultLimits } from '../../rules/retry-policy.ts'
import type { FrozenOptions } from '../agent-options.ts'
import { openPricing } from '../pricing.ts'
import type { Answerer } from '../surroundings.ts'
import { openBreakers } from './breakers.ts'
import { consulting } from './consult.ts'
import { effortOf } from './effort.ts'
import { withRecovery } from './recovery.ts'

/** Who answers a lone agent. */
export interface Answering {
  /** The name of the first of its models. */
  readonly model: string
  readonly answerer: Answerer
}

/** What of the agent's journal recovery goes on from and writes to. */
interface Record {
  readonly pause: Pause
  readonly note: (fact: Fact) => void
}

/** Opens the models of an agent outside of any team. @throws ModelUnavailable when one cannot be opened */
export async function openAnswering(options: FrozenOptions, { pause, note }: Record): Promise<Answering> {
  const { model, fallback, retries, persistent, clock, home } = options
  const [pricing, first, ...others] = await Promise.all([
    openPricing(home),
    opened(model, options),
    ...fallback.map((other) => opened(other, options)),
  ])
  const price: Answerer['price'] = (name, usage) => pricing(name)(usage)
  const recovery = withRecovery({
    models: [first, ...others],
    limits: { ...defaultLimits, retries, persistent },
    clock,
    breakers: openBreakers(clock),
    price,
    paused: pause,
  })
  const consult = consulting({ clock, meter: null, price, note })
  return { model: first.name, answerer: { recovery, price, note, consult, effort: effortOf(options) } }
}

async function opened(model: string | Model, { cwd, env, timeouts }: FrozenOptions): Promise<Model> {
  return typeof model === 'string' ? openModel(model, { baseDir: cwd, env, patience: timeouts }) : model
}
