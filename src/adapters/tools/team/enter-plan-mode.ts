import { z } from 'zod'
import { answer } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'

/** Begins to plan: from now on nothing is changed until a plan is approved. */
export const enterPlanMode = defineTool({
  name: 'EnterPlanMode',
  aliases: ['enter_plan_mode'],
  description: promptText('enter-plan-mode'),
  input: z.strictObject({
    reason: z.string().min(1).max(300).describe('Why it is worth a plan, in a sentence for the people who watch.'),
  }),
  effect: 'none',
  isDestructive: () => false,
  async check(_input, { plan }) {
    if (!plan) return 'there is no plan mode here.'
    return plan.planning() ? 'you are in plan mode already.' : null
  },
  async run({ reason }, { plan, callId }) {
    plan?.enter(callId, reason)
    return answer('You are in plan mode: look around, change nothing, and propose a plan with ExitPlanMode.')
  },
})
