import { z } from 'zod'
import { durationMs } from '../words/duration.ts'
import { spanSchema } from '../words/duration-schema.ts'

type SupervisionPolicy = z.infer<typeof supervisionPolicySchema>

/** The supervision part of a team file, with defaults filled in. */
export function supervisionPolicy(said: z.infer<typeof supervisionSchema> = {}): SupervisionPolicy {
  const { restarts = 3, within = '1m', silence = '15m' } = said
  return { restarts, within_ms: durationMs(within), silence_ms: durationMs(silence) }
}

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
