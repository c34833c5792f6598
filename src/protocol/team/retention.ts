import { z } from 'zod'
import { durationMs } from '../words/duration.ts'
import { durationSchema } from '../words/duration-schema.ts'

/** How long files of a run stay after its end; the journals stay for as long as the run. */
export const retentionSchema = z.strictObject({
  artifacts: durationSchema.optional().describe('Texts too long for a message or a journal (default: 720h, 30 days).'),
  dead_letters: durationSchema.optional().describe('Messages that could not be delivered (default: 720h).'),
  keys: durationSchema
    .optional()
    .describe('The memory of what was sent from outside under a key, so that it is sent once (default: 720h).'),
})

/** The same with defaults filled in. */
export const retentionPolicySchema = z.object({
  artifacts_ms: z.number().nonnegative(),
  dead_letters_ms: z.number().nonnegative(),
  keys_ms: z.number().nonnegative(),
})

export type RetentionPolicy = z.infer<typeof retentionPolicySchema>

const monthMs = durationMs('720h')

/** @example retentionPolicy({ keys: '1h' }).keys_ms // 3_600_000 */
export function retentionPolicy({
  artifacts,
  dead_letters,
  keys,
}: z.infer<typeof retentionSchema> = {}): RetentionPolicy {
  const given = (age: string | undefined): number => (age === undefined ? monthMs : durationMs(age))
  return { artifacts_ms: given(artifacts), dead_letters_ms: given(dead_letters), keys_ms: given(keys) }
}
