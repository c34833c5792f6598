import { z } from 'zod'
import { hookTableSchema } from '../hooks/hook.ts'

/** The hooks of a member's card. */
export const hookFields = {
  hooks: hookTableSchema
    .optional()
    .describe('Hooks of this member alone, in the form of the settings; they run once their text is trusted.'),
}

/** The same of a whole team. */
export const teamHookFields = {
  hooks: hookTableSchema
    .optional()
    .describe('Hooks of all members, in the form of the settings; they run once their text is trusted.'),
  safety: z
    .boolean()
    .optional()
    .describe('Hooks of this file that fail say no, unless they say `on_failure: open` (default: false).'),
}
