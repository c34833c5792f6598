import type { z } from 'zod'
import { durationMs } from '../words/duration.ts'
import type { supervisionPolicySchema, supervisionSchema } from './supervision-schema.ts'

export type SupervisionPolicy = z.infer<typeof supervisionPolicySchema>

/** The supervision part of a team file, with defaults filled in. */
export function supervisionPolicy(said: z.infer<typeof supervisionSchema> = {}): SupervisionPolicy {
  const { restarts = 3, within = '1m', silence = '15m' } = said
  return { restarts, within_ms: durationMs(within), silence_ms: durationMs(silence) }
}
