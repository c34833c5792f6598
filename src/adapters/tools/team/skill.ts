import { z } from 'zod'
import { answer, complaint } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'

/** Opens a skill: what it says comes back as the result, and its rules hold for the rest of the work. */
export const skill = defineTool({
  name: 'Skill',
  description: promptText('skill'),
  input: z.strictObject({
    skill: z.string().min(1).max(255).describe('Its name, as the list has it.'),
    args: z.string().max(10_000).optional().describe('What it is to be used on, where it asks for that.'),
  }),
  effect: 'none',
  isDestructive: () => false,
  maxResultChars: 100_000,
  // The commands of a skill have time limits of their own, and people may be asked about them.
  timeout: null,
  async run({ skill: name, args = '' }, { openSkill, callId, signal }) {
    if (openSkill === undefined) return complaint('This agent has no skills.')
    const opened = await openSkill({ skill: name, args: args.trim() }, callId, signal)
    return 'text' in opened ? answer(opened.text) : complaint(opened.trouble)
  },
})
