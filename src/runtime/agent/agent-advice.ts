import type { AdviceCount } from '../../projections/member/advice-count.ts'
import type { Model } from '../../protocol/models/model.ts'
import type { Tool, ToolContext } from '../../protocol/tools/tool.ts'
import type { AdvisorPlan } from '../../protocol/team/work-card.ts'
import { openAdvisor } from './advisor.ts'
import { offeredAdvisor, withoutAdvisor } from './offered-advisor.ts'
import type { Consult } from '../recovery/consult.ts'
import type { AgentDeps, TurnTools } from './agent-deps.ts'

/** Whom an agent outside of any team may ask, and with which tool. */
export interface LoneAdvisor {
  readonly plan: AdvisorPlan
  readonly model: Model
  /** The agent's own model, whose server may ask instead. */
  readonly own: Model
  readonly tool: Tool
}

/** The same in one run of the agent. */
export interface AdvisedRun extends LoneAdvisor {
  readonly agent: string
  /** What the run is about. */
  readonly prompt: string
  /** How often the advisor was asked in it. */
  readonly count: AdviceCount
  readonly consult: Consult
}

/** The tools of a turn, and the advisor that the server is offered; without an advisor the tools as they are. */
export function advisedTools(
  advised: AdvisedRun | null,
  turnTools: () => TurnTools,
): Pick<AgentDeps, 'turnTools' | 'offered'> {
  if (advised === null) return { turnTools }
  const { plan, own: model, count } = advised
  const offer = () => offeredAdvisor({ plan, model, limited: false, count })
  return {
    turnTools: () => (offer().byServer ? withoutAdvisor(turnTools()) : turnTools()),
    offered() {
      const { advisor } = offer()
      return advisor ? { advisor } : {}
    },
  }
}

/** How a call asks the advisor; nothing without one. */
export function adviceTo(advised: AdvisedRun | null): (callId: string) => Pick<ToolContext, 'advise'> {
  if (advised === null) return () => ({})
  const { agent: member, prompt } = advised
  const advise = openAdvisor({ ...advised, member, task: () => prompt })
  return (callId) => ({ advise: (asked, signal) => advise(asked, callId, signal) })
}
