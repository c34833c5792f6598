import { z } from 'zod'
import { spanSchema } from '../words/duration-schema.ts'
import { goalFields } from '../tools/tool-limits.ts'

/* Keys of a member that say how its work is checked, and who helps with it. */

const text = z.string().min(1, 'must not be empty')

export const verifySchema = z.strictObject({
  command: text.describe('The command line; exit code 0 means that the work is good.'),
  after_changes: z
    .boolean()
    .optional()
    .describe('Run it after every turn that changed something, too, not only at the end (default: true).'),
  attempts: z
    .number()
    .int()
    .min(1)
    .max(20)
    .optional()
    .describe('How often the work may come to an end that does not pass before it counts as failed (default: 3).'),
  timeout: spanSchema.optional().describe('Longest time that the command may take (default: 10m).'),
})

/** As it is written: a command line alone, or with more about it. */
export const verifyWishSchema = z.union([text, verifySchema])

export const modelNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]*\/.+$/, 'must be provider/model, e.g. anthropic/… or scripted/file.yaml')

export const advisorSchema = z.strictObject({
  model: modelNameSchema.describe('provider/model of the advisor, usually a stronger one than the member has.'),
  max_uses: z.number().int().min(1).max(100).optional().describe('How often it may be asked in a run (default: 3).'),
  max_tokens: z
    .number()
    .int()
    .min(100)
    .max(32_000)
    .optional()
    .describe('Longest advice in tokens, what it thinks before included (default: 2000).'),
  prompt: text.optional().describe('What the advisor is told of itself, beside being brief and having no tools.'),
})

export const advisorWishSchema = z.union([modelNameSchema, advisorSchema])

export const escalationSchema = z.strictObject({
  model: modelNameSchema.describe('provider/model that goes on for the rest of a piece of work.'),
  after_errors: z
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'Turns in a row with calls that could not be made as they were written, after which it goes on (default: 3).',
    ),
  on_loop: z
    .boolean()
    .optional()
    .describe('It goes on where the member would be ended for making the same calls again and again (default: true).'),
  on_hard: z.boolean().optional().describe('It begins where the words of the task look hard (default: false).'),
})

export const escalationWishSchema = z.union([modelNameSchema, escalationSchema])

/** Keys of every member. */
export const helpFields = {
  escalate: escalationWishSchema
    .optional()
    .describe(
      'A stronger model that goes on when the member says that it cannot, or visibly cannot; provider/model, or a map.',
    ),
  advisor: advisorWishSchema
    .optional()
    .describe('Gives the member the tool Advisor: another model that it may ask for advice; provider/model, or a map.'),
}

/** Keys of a worker. */
export const workFields = {
  ...goalFields,
  verify: verifyWishSchema
    .optional()
    .describe('A command that has to pass before the work counts as done: a command line, or a map.'),
}

export const verifyPlanSchema = z.object({
  command: z.string(),
  after_changes: z.boolean(),
  attempts: z.number().int().positive(),
  timeout_ms: z.number().positive(),
})

export const advisorPlanSchema = z.object({
  model: z.string(),
  max_uses: z.number().int().positive(),
  max_tokens: z.number().int().positive(),
  prompt: z.string().optional(),
})

export const escalationPlanSchema = z.object({
  model: z.string(),
  after_errors: z.number().int().positive(),
  on_loop: z.boolean(),
  on_hard: z.boolean().optional(),
})

/** The same with defaults filled in, as a resolved card has it. */
export const resolvedWorkFields = {
  verify: verifyPlanSchema.optional(),
  advisor: advisorPlanSchema.optional(),
  escalate: escalationPlanSchema.optional(),
}

export type EscalationWish = z.infer<typeof escalationWishSchema>
/** Which model a member turns to when its own is not enough, and when. */
export type EscalationPlan = z.infer<typeof escalationPlanSchema>
export type AdvisorWish = z.infer<typeof advisorWishSchema>
/** The advisor that a member may ask, and how often. */
export type AdvisorPlan = z.infer<typeof advisorPlanSchema>
export type VerifyWish = z.infer<typeof verifyWishSchema>
/** How a member's work is checked. */
export type VerifyPlan = z.infer<typeof verifyPlanSchema>
