import { z } from 'zod'
import { answer } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'

/** A person reads all of it before they say yes. */
const longestPlan = 20_000

/** Proposes a plan. That it runs at all means that the plan was approved: the permission cascade always asks. */
export const exitPlanMode = defineTool({
  name: 'ExitPlanMode',
  aliases: ['exit_plan_mode'],
  description: promptText('exit-plan-mode'),
  input: z.strictObject({
    plan: z
      .string()
      .min(1)
      .max(longestPlan)
      .describe('The plan as the person reads it: what is changed where, in which order, and how it is checked.'),
  }),
  effect: 'none',
  isDestructive: () => false,
  requiresInteraction: true,
  async check(_input, { plan }) {
    if (!plan?.planning()) return 'you are not in plan mode: there is nothing to approve, go on with the work.'
    return plan.bound() ? 'plan mode is fixed here and no plan ends it: give the plan as your answer.' : null
  },
  async run({ plan: text }, { plan, callId }) {
    plan?.approve(callId, text)
    return answer(`The plan is approved and plan mode is over. Carry out what it says:\n\n${text}`)
  },
})
