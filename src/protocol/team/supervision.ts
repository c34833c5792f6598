import { z } from 'zod'
import { durationMs } from '../words/duration.ts'
import { spanSchema } from '../words/duration-schema.ts'

type SupervisionPolicy = z.infer<typeof supervisionPolicySchema>

/** The longest silence that nobody set, where a round may take long enough. */
const longestSilence = durationMs('15m')

/**
 * The supervision part of a team file, with defaults filled in.
 *
 * @param gatherMs how long a round of requests may take: who is silent is named while something can be done about it
 */
export function supervisionPolicy(
  said: z.infer<typeof supervisionSchema> = {},
  gatherMs: number = 2 * longestSilence,
): SupervisionPolicy {
  const { restarts = 3, within = '1m', silence } = said
  const silence_ms = silence === undefined ? Math.min(longestSilence, gatherMs / 2) : durationMs(silence)
  return { restarts, within_ms: durationMs(within), silence_ms }
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
    .describe(
      'How long a busy member may do nothing that is journaled before it is said to be silent, or to stall where it still prints or streams (default: half of the time that a round may take, at most 15m).',
    ),
})

/** The same with defaults filled in. */
export const supervisionPolicySchema = z.object({
  restarts: z.number().int().nonnegative(),
  within_ms: z.number().positive(),
  silence_ms: z.number().positive(),
})
