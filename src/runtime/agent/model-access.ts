import type { Model } from '../../protocol/models/model.ts'
import type { ThinkingSettings } from '../../protocol/team/team-card.ts'
import { thinkingBudget } from '../../rules/conversation/thinking-budget.ts'
import type { RetryLimits } from '../../rules/team/retry-policy.ts'
import type { Clock } from '../actors/clock.ts'
import type { Allowance } from '../budget/budgets.ts'
import { openMeter } from '../budget/meter.ts'
import type { Pricing } from '../models/pricing.ts'
import type { Breakers } from '../recovery/breakers.ts'
import { consulting } from '../recovery/consult.ts'
import { withRecovery } from '../recovery/recovery.ts'
import type { ModelAccess } from './agent-deps.ts'
import type { AgentStore } from './agent-store.ts'

/** The models of one agent, and how far it may go with them. */
export interface ModelAccessOptions {
  /** The agent's own model and its fallbacks, in this order. */
  readonly models: readonly Model[]
  /** The model that the agent may turn to. */
  readonly stronger: Model | null
  readonly limits: RetryLimits
  readonly thinking: ThinkingSettings
  /** Null where nothing is limited. */
  readonly allowance: Allowance | null
  readonly pricing: Pricing
  readonly breakers: Breakers
  readonly clock: Clock
}

/** Opens the way to an agent's models, recovery and prices included; a pause of an earlier life goes on. */
export function openModelAccess(
  options: ModelAccessOptions,
  { pause, ledger }: Pick<AgentStore, 'pause' | 'ledger'>,
): ModelAccess {
  const { models, stronger, limits, allowance, pricing, breakers, clock } = options
  const price: ModelAccess['price'] = (model, usage) => pricing(model)(usage)
  const note: ModelAccess['note'] = (fact) => ledger.record([fact])
  const meter = allowance === null ? null : openMeter(allowance, price)
  const recovery = withRecovery({
    ...(meter ? { meter } : {}),
    ...(stronger ? { stronger } : {}),
    models,
    limits,
    clock,
    breakers,
    price,
    paused: pause,
  })
  const consult = consulting({ clock, meter, price, note })
  const effort = turnEffort(options.thinking)
  return { recovery, price, note, consult, effort, ...(meter ? { refusal: meter.refusal } : {}) }
}

/** How hard a model shall think, turn by turn; without settings that is left to the model. */
function turnEffort({ effort, thinking }: ThinkingSettings): ModelAccess['effort'] {
  const told = effort === undefined ? {} : { effort }
  if (thinking === undefined) return () => told
  return (turn) => ({ ...told, thinking_budget: thinkingBudget(thinking, turn) })
}
