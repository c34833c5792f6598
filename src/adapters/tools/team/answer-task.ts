import { z } from 'zod'
import { answer, complaint, noTeam } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'

/** Ends the work on the run's task with an answer, explicitly. */
export const answerTask = defineTool({
  name: 'Answer',
  description: promptText('answer'),
  input: z.strictObject({
    text: z.string().min(1).describe('The whole answer, as the person who gave the task will read it.'),
    files: z.array(z.string().min(1)).max(100).optional().describe('Paths of files that belong to it.'),
  }),
  effect: 'team',
  isDestructive: () => false,
  check: async (_input, context) => noTeam(context),
  async run({ text, files }, context) {
    if (!context.team) return complaint(noTeam(context) ?? '')
    const receipt = context.team.report({ text, files: files ?? [] })
    return 'error' in receipt ? complaint(`Not answered: ${receipt.error}`) : answer('The answer is given.')
  },
})
