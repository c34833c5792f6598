import { z } from 'zod'
import { durationMs } from './duration.ts'
import { durationSchema } from './duration-schema.ts'

const longestMs = 24 * 3_600_000

const timeout = durationSchema.refine((text) => durationMs(text) > 0 && durationMs(text) <= longestMs, {
  message: 'must be more than nothing and at most 24h',
})

/** How long the servers of models are waited for, as people write it. */
export const timeoutsSchema = z.strictObject({
  first_byte: timeout.optional().describe('How long a model may take to begin its answer (default: 10m).'),
  idle: timeout.optional().describe('How long an answer that has begun may be silent (default: 5m).'),
})

/** The same in a resolved team. What is absent has its default. */
export const resolvedTimeoutsSchema = z.object({
  first_byte_ms: z.number().positive().optional(),
  idle_ms: z.number().positive().optional(),
})

export type ModelTimeouts = z.infer<typeof resolvedTimeoutsSchema>

/** `modelTimeouts({ idle: '90s' })` → `{ idle_ms: 90000 }`. */
export function modelTimeouts({ first_byte, idle }: z.infer<typeof timeoutsSchema>): ModelTimeouts {
  return {
    ...(first_byte === undefined ? {} : { first_byte_ms: durationMs(first_byte) }),
    ...(idle === undefined ? {} : { idle_ms: durationMs(idle) }),
  }
}
