import { z } from 'zod'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'
import { noMemory, told } from './remember.ts'

/** Takes a note away. */
export const forget = defineTool({
  name: 'Forget',
  description: promptText('forget'),
  input: z.strictObject({
    name: z.string().min(1).describe('The name of a note, as your notes list it.'),
    quote: z
      .string()
      .min(1)
      .max(2_000)
      .optional()
      .describe('For user and feedback notes: the words of the person that take it back, copied exactly.'),
  }),
  effect: 'none',
  run: async (input, { memories }) => (memories ? told(await memories.forget(input)) : noMemory()),
})
