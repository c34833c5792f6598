import type { Pause } from '../../projections/pause.ts'
import type { Fact } from '../../protocol/fact.ts'
import type { Model } from '../../protocol/model.ts'
import type { MemberCard } from '../../protocol/team-card.ts'
import { defaultLimits } from '../../rules/retry-policy.ts'
import { openMeter } from '../budget/meter.ts'
import type { Answerer } from '../surroundings.ts'
import type { TeamScene } from '../team-scene.ts'
import { consulting } from './consult.ts'
import { effortOf } from './effort.ts'
import { withRecovery } from './recovery.ts'

/** What of a member's journal recovery goes on from and writes to. */
interface Record {
  readonly pause: Pause
  readonly note: (fact: Fact) => void
}

/** Who answers a member, with everything that recovers them; breakers are those of the run. */
export function memberAnswerer(scene: TeamScene, card: MemberCard, { pause, note }: Record): Answerer {
  const { clock, team, breakers, pricing } = scene
  const price: Answerer['price'] = (model, usage) => pricing(model)(usage)
  const purse = scene.treasury.purse(card)
  const meter = purse === null ? null : openMeter(purse, price)
  const recovery = withRecovery({
    ...(meter ? { meter } : {}),
    models: [card.model, ...(card.fallback ?? [])].map((name) => modelOf(scene, name)),
    ...(card.escalate ? { stronger: modelOf(scene, card.escalate.model) } : {}),
    limits: { ...defaultLimits, persistent: team.persistent === true },
    clock,
    breakers,
    price,
    paused: pause,
  })
  const consult = consulting({ clock, meter, price, note })
  return { recovery, price, note, consult, effort: effortOf(card), ...(meter ? { refusal: meter.refusal } : {}) }
}

function modelOf({ models }: TeamScene, name: string): Model {
  const model = models.get(name)
  if (!model) throw new Error(`${name} was not opened`)
  return model
}
