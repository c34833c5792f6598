import type { AdviceCount } from '../../projections/member/advice-count.ts'
import type { Model } from '../../protocol/models/model.ts'
import type { AdvisorPlan } from '../../protocol/team/work-card.ts'
import type { AgentDeps, TurnTools } from './agent-deps.ts'

/** The advisor of one agent. */
export interface AgentAdvisor {
  readonly plan: AdvisorPlan
  readonly model: Model
  /** The agent's own model, whose server may ask the advisor inside an answer. */
  readonly own: Model
  /** A budget limits the agent: what a server spends inside an answer cannot be set aside before. */
  readonly limited: boolean
}

/**
 * The tools of a turn, and the advisor that the server is offered. The server asks where it offers to and no budget
 * stands against that, else our own tool does.
 */
export function advisedTools(
  advisor: AgentAdvisor | null,
  count: AdviceCount,
  tools: () => TurnTools,
): Pick<AgentDeps, 'turnTools' | 'offered'> {
  if (advisor === null || advisor.limited) return { turnTools: tools }
  const { own, plan } = advisor
  const byServer = (): boolean => own.advises?.(plan.model) === true
  return {
    turnTools: () => (byServer() ? withoutAdvisor(tools()) : tools()),
    offered() {
      const left = plan.max_uses - count.used
      // A lead that may only answer holds no tools.
      if (left <= 0 || !byServer() || !tools().tools.has('Advisor')) return {}
      const model = plan.model.slice(plan.model.indexOf('/') + 1)
      return { advisor: { model, max_uses: left, max_tokens: plan.max_tokens } }
    },
  }
}

const stripped = new WeakMap<TurnTools, TurnTools>()

/** The tools of a turn without our own `Advisor`; the same set always gives the same one. */
function withoutAdvisor(set: TurnTools): TurnTools {
  const known = stripped.get(set)
  if (known) return known
  const tools = new Map([...set.tools].filter(([name]) => name !== 'Advisor'))
  const made = { ...set, tools, specs: set.specs.filter(({ name }) => name !== 'Advisor') }
  stripped.set(set, made)
  return made
}
