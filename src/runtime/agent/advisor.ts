import { textOf, userMessage } from '../../protocol/conversation/message.ts'
import type { AdviceCount } from '../../projections/member/advice-count.ts'
import type { Model } from '../../protocol/models/model.ts'
import type { Advice, AdviceRequest } from '../../protocol/tools/tool.ts'
import type { AdvisorPlan } from '../../protocol/team/work-card.ts'
import { adviceQuestion, adviceText, advisorOf, advisorPrompt } from '../../rules/team/advice.ts'
import type { Consult } from '../recovery/consult.ts'

/** What advice to one member stands on. */
export interface AdvisorOptions {
  readonly plan: AdvisorPlan
  readonly model: Model
  readonly consult: Consult
  /** The member who asks. */
  readonly member: string
  /** What the member works on. */
  readonly task: () => string | null
  /** What was said already: a call that is made again after a kill is not paid twice. */
  readonly count: AdviceCount
}

/** Asks one member's advisor, on the member's budget; whatever goes wrong, the member is told to go on by itself. */
export function openAdvisor(parts: AdvisorOptions) {
  const { plan, model, consult, member, task, count } = parts
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
