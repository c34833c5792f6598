import { z } from 'zod'
import { answer, complaint, noTeam } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'

/** Writes to another member. */
export const sendMessage = defineTool({
  name: 'SendMessage',
  description: promptText('send-message'),
  input: z.strictObject({
    to: z.string().min(1).describe('The name of the member, or `all` for everybody else.'),
    text: z.string().min(1).describe('The message, complete in itself.'),
    question: z.boolean().optional().describe('You need an answer to go on. End your turn then: the answer wakes you.'),
  }),
  effect: 'team',
  isDestructive: () => false,
  check: async (_input, context) => noTeam(context),
  async run({ to, text, question = false }, context) {
    if (!context.team) return complaint(noTeam(context) ?? '')
    const receipt = context.team.send({ to, text, question, callId: context.callId })
    if ('error' in receipt) return complaint(`Not sent: ${receipt.error}`)
    const note = receipt.note === undefined ? '' : ` ${receipt.note}`
    return answer(`Sent to ${to} (${receipt.id}).${note}`)
  },
})
