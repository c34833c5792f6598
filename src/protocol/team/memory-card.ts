import { z } from 'zod'
import { memoryScopes } from '../memory/memory.ts'
import { nameSchema } from '../words/ids-schema.ts'
import { modelNameSchema } from './work-card.ts'

/* Keys that say what a member remembers. */

const extractionFields = {
  model: modelNameSchema
    .optional()
    .describe('provider/model that extracts memories (default: the model of the member).'),
  every: z.number().int().min(1).max(1_000).optional().describe('After how many answers of the member (default: 5).'),
  usd: z
    .number()
    .positive()
    .optional()
    .describe('Dollars that it may spend in a run, inside the budget of the member.'),
  tokens: z.number().int().positive().optional().describe('Tokens that it may spend in a run, inside that budget.'),
}

const memorySchema = z.strictObject({
  scope: z
    .enum(memoryScopes)
    .optional()
    .describe(
      'Where memories of work go: user (yours, everywhere), local (yours, in this project) or project (shared, in .troupe/memory); wider ones are read, too (default: local).',
    ),
  extract: z
    .union([z.boolean(), z.strictObject(extractionFields)])
    .optional()
    .describe('A model looks in the background for what should be remembered; false, or a map (default: true).'),
  claude_agent: nameSchema
    .optional()
    .describe('Memories of work are those of this subagent of Claude Code (.claude/agent-memory); set by its card.'),
})

/** As it is written: a scope alone, or with more about it; `false` takes the memory of the team away from a member. */
const memoryWishSchema = z.union([z.literal(false), z.enum(memoryScopes), memorySchema])
export type MemoryCardWish = z.infer<typeof memoryWishSchema>

/** Keys of every member, and of the team for all of them. */
export const memoryFields = {
  memory: memoryWishSchema
    .optional()
    .describe('Gives the tools Remember, Recall and Forget, and the notes of earlier runs; a scope, a map, or false.'),
}

/** The same with defaults filled in, as a resolved card has it. */
export const memoryPlanSchema = z.object({
  scope: z.enum(memoryScopes),
  /** Null where no model extracts. */
  extract: z.object({ ...extractionFields, every: z.number().int().positive() }).nullable(),
  claude_agent: nameSchema.optional(),
})
export type MemoryPlan = z.infer<typeof memoryPlanSchema>
export type ExtractPlan = NonNullable<MemoryPlan['extract']>
