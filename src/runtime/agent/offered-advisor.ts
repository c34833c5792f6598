import type { AdviceCount } from '../../projections/member/advice-count.ts'
import type { Model, OfferedAdvisor } from '../../protocol/models/model.ts'
import type { AdvisorPlan } from '../../protocol/team/work-card.ts'
import type { TurnTools } from './agent-deps.ts'

/** What decides who asks a member's advisor: the server inside its answers, or our own tool. */
export interface AdvisorOfferOptions {
  readonly plan: AdvisorPlan
  /** The member's own model. */
  readonly model: Model
  /** A budget limits the member: what a server spends inside an answer cannot be set aside before. */
  readonly limited: boolean
  readonly count: AdviceCount
}

/** The advisor that the server is offered to ask; null where our own tool asks it, or it was asked often enough. */
export function offeredAdvisor({ plan, model, limited, count }: AdvisorOfferOptions): {
  readonly byServer: boolean
  readonly advisor: OfferedAdvisor | null
} {
  if (limited || model.advises?.(plan.model) !== true) return { byServer: false, advisor: null }
  const { max_tokens } = plan
  const max_uses = plan.max_uses - count.used
  const name = plan.model.slice(plan.model.indexOf('/') + 1)
  return { byServer: true, advisor: max_uses > 0 ? { model: name, max_uses, max_tokens } : null }
}

const stripped = new WeakMap<TurnTools, TurnTools>()

/** The tools of a turn without our own `Advisor`; the same set always gives the same one. */
export function withoutAdvisor(set: TurnTools): TurnTools {
  const known = stripped.get(set)
  if (known) return known
  const tools = new Map([...set.tools].filter(([name]) => name !== 'Advisor'))
  const made = { ...set, tools, specs: set.specs.filter(({ name }) => name !== 'Advisor') }
  stripped.set(set, made)
  return made
}
