import type { AdviceCount } from '../../projections/member/agent-story.ts'
import { textOf, userMessage } from '../../protocol/conversation/message.ts'
import type { Model } from '../../protocol/models/model.ts'
import type { AdvisorPlan } from '../../protocol/team/work-card.ts'
import type { Advice, AdviceRequest } from '../../protocol/tools/tool.ts'
import { adviceQuestion, adviceText, advisorOf, advisorPrompt } from '../../rules/team/advice.ts'
import type { AgentDeps, TurnTools } from './agent-deps.ts'

/** An advisor with the two models between which an agent's questions pass. */
export interface AgentAdvisor {
  readonly plan: AdvisorPlan
  readonly model: Model
  /** The agent's own model, whose server may ask the advisor inside an answer. */
  readonly own: Model
  /** A budget limits the agent: what a server spends inside an answer cannot be set aside before. */
  readonly limited: boolean
}

/**
 * Asks an agent's advisor, on the agent's budget; whatever goes wrong, the agent is told to go on by itself.
 * @param count keeps what was said already: a call that is made again after a kill is not paid twice
 */
export function openAdvisor(
  { plan, model }: AgentAdvisor,
  count: AdviceCount,
  { member, task, consult }: Pick<AgentDeps, 'member' | 'task' | 'consult'>,
) {
  return async (asked: AdviceRequest, callId: string, signal: AbortSignal): Promise<Advice> => {
    const before = count.said.get(callId)
    if (before !== undefined) return { text: before }
    const request = {
      agent: advisorOf(member),
      system: advisorPrompt(plan),
      messages: [userMessage(adviceQuestion(asked, task()), 'runtime')],
      tools: [],
      max_tokens: plan.max_tokens,
    }
    const message = await consult({ model, request, callId, purpose: 'advice', signal })
    const text = textOf(message).trim()
    if (message.failure === undefined && text !== '') return { text: adviceText(text, message.stop === 'max_tokens') }
    const why = message.failure?.message ?? 'it said nothing'
    return { trouble: `The advisor could not be asked: ${why}. Go on by yourself.` }
  }
}

/**
 * The tools of a turn, and the advisor that the server is offered. The server asks where it offers to and no budget
 * stands against that, else our own tool does.
 */
export function advisedTools(
  advisor: AgentAdvisor,
  count: AdviceCount,
  tools: () => TurnTools,
): Pick<AgentDeps, 'turnTools' | 'offered'> {
  if (advisor.limited) return { turnTools: tools }
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
