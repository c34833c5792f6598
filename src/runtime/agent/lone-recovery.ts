import { openModel } from '../../adapters/models/catalog.ts'
import type { Pause } from '../../projections/member/pause.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { Model } from '../../protocol/models/model.ts'
import { defaultLimits } from '../../rules/team/retry-policy.ts'
import type { LoneAdvisor } from './agent-advice.ts'
import type { FrozenOptions } from './agent-options.ts'
import { openPricing } from '../models/pricing.ts'
import type { ModelAccess } from './agent-deps.ts'
import { openBreakers } from '../recovery/breakers.ts'
import { consulting } from '../recovery/consult.ts'
import { turnEffort } from './effort.ts'
import { withRecovery } from '../recovery/recovery.ts'

/** Who answers a lone agent. */
export interface Answering {
  /** The name of the first of its models. */
  readonly model: string
  readonly modelAccess: ModelAccess
  readonly advisor: LoneAdvisor | null
}

/** What of the agent's journal recovery goes on from and writes to. */
interface Record {
  readonly pause: Pause
  readonly note: (fact: Fact) => void
}

/** Opens the models of an agent outside of any team. @throws ModelUnavailable when one cannot be opened */
export async function openAnswering(options: FrozenOptions, { pause, note }: Record): Promise<Answering> {
  const { model, fallback, escalate, retries, persistent, clock, home } = options
  const [pricing, stronger, first, ...others] = await Promise.all([
    openPricing(home),
    escalate === null ? null : opened(escalate.model, options),
    opened(model, options),
    ...fallback.map((other) => opened(other, options)),
  ])
  const price: ModelAccess['price'] = (name, usage) => pricing(name)(usage)
  const recovery = withRecovery({
    models: [first, ...others],
    ...(stronger === null ? {} : { stronger }),
    limits: { ...defaultLimits, retries, persistent },
    clock,
    breakers: openBreakers(clock),
    price,
    paused: pause,
  })
  const consult = consulting({ clock, meter: null, price, note })
  const modelAccess = { recovery, price, note, consult, effort: turnEffort(options) }
  return { model: first.name, modelAccess, advisor: await advisorOf(options, first) }
}

/** The tool is loaded for those who have somebody to ask. */
async function advisorOf(options: FrozenOptions, own: Model): Promise<LoneAdvisor | null> {
  const { advisor: plan } = options
  if (plan === null) return null
  const [model, { advisor: tool }] = await Promise.all([
    opened(plan.model, options),
    import('../../adapters/tools/team/advisor.ts'),
  ])
  return { plan, model, own, tool }
}

async function opened(model: string | Model, { cwd, env, timeouts }: FrozenOptions): Promise<Model> {
  return typeof model === 'string' ? openModel(model, { baseDir: cwd, env, patience: timeouts }) : model
}
