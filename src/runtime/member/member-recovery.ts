import type { Pause } from '../../projections/member/pause.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { Model } from '../../protocol/models/model.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { defaultLimits } from '../../rules/team/retry-policy.ts'
import { openMeter } from '../budget/meter.ts'
import type { ModelAccess } from '../agent/agent-deps.ts'
import type { RunContext } from '../context/run-context.ts'
import { consulting } from '../recovery/consult.ts'
import { turnEffort } from '../agent/effort.ts'
import { withRecovery } from '../recovery/recovery.ts'

/** What of a member's journal recovery goes on from and writes to. */
interface Record {
  readonly pause: Pause
  readonly note: (fact: Fact) => void
}

/** Who answers a member, with everything that recovers them; breakers are those of the run. */
export function memberModelAccess(context: RunContext, card: MemberCard, { pause, note }: Record): ModelAccess {
  const { clock, team, breakers, pricing } = context
  const price: ModelAccess['price'] = (model, usage) => pricing(model)(usage)
  const allowance = context.budgets.allowance(card)
  const meter = allowance === null ? null : openMeter(allowance, price)
  const recovery = withRecovery({
    ...(meter ? { meter } : {}),
    models: [card.model, ...(card.fallback ?? [])].map((name) => modelOf(context, name)),
    ...(card.escalate ? { stronger: modelOf(context, card.escalate.model) } : {}),
    limits: { ...defaultLimits, persistent: team.persistent === true },
    clock,
    breakers,
    price,
    paused: pause,
  })
  const consult = consulting({ clock, meter, price, note })
  return { recovery, price, note, consult, effort: turnEffort(card), ...(meter ? { refusal: meter.refusal } : {}) }
}

function modelOf({ models }: RunContext, name: string): Model {
  const model = models.get(name)
  if (!model) throw new Error(`${name} was not opened`)
  return model
}
