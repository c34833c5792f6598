import { z } from 'zod'
import { durationSchema } from './duration-schema.ts'

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
  timeout: durationSchema.optional().describe('Longest time that the command may take (default: 10m).'),
})

/** As it is written: a command line alone, or with more about it. */
export const verifyWishSchema = z.union([text, verifySchema])

/** Keys of a worker. */
export const workFields = {
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

/** The same with defaults filled in, as a resolved card has it. */
export const resolvedWorkFields = { verify: verifyPlanSchema.optional() }

export type VerifyWish = z.infer<typeof verifyWishSchema>
/** How a member's work is checked. */
export type VerifyPlan = z.infer<typeof verifyPlanSchema>
