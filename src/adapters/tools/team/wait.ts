import { z } from 'zod'
import { answer, complaint, noTeam } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'

/** Says that a member cannot go on before another one has written to it. */
export const waitForMember = defineTool({
  name: 'Wait',
  description: promptText('wait'),
  input: z.strictObject({
    for: z.string().min(1).describe('The name of the member whose message you wait for.'),
    reason: z.string().min(1).max(300).describe('What you expect from it, in a sentence for the people who watch.'),
  }),
  effect: 'team',
  isDestructive: () => false,
  check: async (_input, context) => noTeam(context),
  async run({ for: member, reason }, context) {
    if (!context.team) return complaint(noTeam(context) ?? '')
    const receipt = context.team.wait({ for: member, reason, callId: context.callId })
    if ('error' in receipt) return complaint(`Not waiting: ${receipt.error}`)
    return answer(`You wait for ${receipt.id}. End your turn now: its message wakes you, and your own work stays open.`)
  },
})
