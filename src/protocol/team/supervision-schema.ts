import { z } from 'zod'
import { spanSchema } from '../words/duration-schema.ts'

/** `supervision:` in a team file. */
export const supervisionSchema = z.strictObject({
  restarts: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe('How often a member that failed is started again within `within` before it is given up (default: 3).'),
  within: spanSchema.optional().describe('The span in which restarts are counted (default: 1m).'),
  silence: spanSchema
    .optional()
    .describe('How long a busy member may do nothing that is journaled before it is said to hang (default: 15m).'),
})

/** The same with defaults filled in. */
export const supervisionPolicySchema = z.object({
  restarts: z.number().int().nonnegative(),
  within_ms: z.number().positive(),
  silence_ms: z.number().positive(),
})
