import { z } from 'zod'
import { answer, complaint } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'

/** Asks another model for advice. How often, and which one, the member's card says. */
export const advisor = defineTool({
  name: 'Advisor',
  aliases: ['advisor'],
  description: promptText('advisor'),
  input: z.strictObject({
    question: z.string().min(1).max(4_000).describe('The decision that you cannot settle, as one question.'),
    context: z
      .string()
      .max(40_000)
      .describe('All that matters for it: what you found, with errors and code as they are, and what you have tried.'),
  }),
  effect: 'none',
  isReadOnly: () => true,
  interrupt: 'cancel',
  // A model may think for long; it is given up like any other that does not answer.
  timeout: null,
  check: async (_input, { advise }) => (advise ? null : 'you have no advisor: decide yourself.'),
  async run(input, { advise, signal }) {
    if (!advise) return complaint('You have no advisor: decide yourself.')
    const advice = await advise(input, signal)
    return 'text' in advice ? answer(advice.text) : complaint(advice.trouble)
  },
})
