import { z } from 'zod'
import { answeredBy } from '../../../protocol/tools/own-question.ts'
import { answer, complaint } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'

/** Puts a question to the person who runs the team. */
export const askUser = defineTool({
  name: 'AskUser',
  aliases: ['ask_user'],
  description: promptText('ask-user'),
  input: z.strictObject({
    question: z.string().min(1).max(4_000).describe('The question, complete in itself: the person sees nothing else.'),
    options: z
      .array(z.string().min(1).max(300))
      .max(9)
      .optional()
      .describe('Answers to choose from, the one you would take first.'),
  }),
  effect: 'none',
  isDestructive: () => false,
  interrupt: 'cancel',
  requiresInteraction: true,
  // People take their time.
  timeout: null,
  async run({ question, options = [] }, { ask, signal }) {
    const nobody =
      'Nobody is there to answer. Decide yourself what is most sensible, and say in your result what you assumed.'
    if (!ask) return complaint(nobody)
    const given = await ask({ question, options }, signal)
    return given === null ? complaint(nobody) : answer(`${answeredBy}${given}`)
  },
})
