import { z } from 'zod'
import { memoryKinds, type MemoryAnswer } from '../../../protocol/memory/memory.ts'
import type { ToolOutput } from '../../../protocol/tools/tool.ts'
import { answer, complaint } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'

/** Keeps something for later runs. */
export const remember = defineTool({
  name: 'Remember',
  description: promptText('remember'),
  input: z.strictObject({
    kind: z.enum(memoryKinds).describe('user and feedback hold words of the person, the others what agents found.'),
    title: z.string().min(1).max(100).describe('A few words by which it is found again.'),
    text: z.string().min(1).max(4_000).describe('What to remember and why it matters, with whole dates and names.'),
    quote: z
      .string()
      .min(1)
      .max(2_000)
      .optional()
      .describe('For user and feedback: words of the person, copied exactly from a message of the person.'),
    replaces: z.string().min(1).optional().describe('The name of a note that this one takes the place of.'),
  }),
  effect: 'none',
  run: async (input, { memories }) => (memories ? told(await memories.remember(input)) : noMemory()),
})

/** The outcome of an act on memories as a tool's result. */
export function told(said: MemoryAnswer): ToolOutput {
  return 'text' in said ? answer(said.text) : complaint(said.trouble)
}

/** The refusal for an agent without memories. */
export function noMemory(): ToolOutput {
  return complaint('You have no memory here: put what matters into your answer.')
}
