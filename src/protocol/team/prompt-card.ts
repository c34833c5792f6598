import { z } from 'zod'

const text = z.string().min(1, 'must not be empty')

/** Keys of a member's card that say more of its prompt. */
export const promptFields = {
  skills: z
    .array(text)
    .optional()
    .describe('Names of skills that this member has read from the beginning; with the tool `Skill` it opens others.'),
  override_prompt: text
    .optional()
    .describe('Stands in place of the whole system prompt; only what is appended follows it.'),
  append_prompt: text.optional().describe('The last words of the system prompt of this member.'),
}

/** The same of a whole team. */
export const teamPromptFields = {
  prompt: text.optional().describe('The prompt of members that have none of their own.'),
  append_prompt: text
    .optional()
    .describe('The last words of the system prompt of every member; `--append-system-prompt` adds to them.'),
}
