import { z } from 'zod'
import { durationMs } from '../words/duration.ts'
import { durationSchema } from '../words/duration-schema.ts'

/** `process`: what was said survives the death of any process. `power`: it survives a power cut as well. */
export const durabilities = ['process', 'power'] as const

export const mailSchema = z.strictObject({
  max_unread: z
    .number()
    .int()
    .min(1)
    .max(10_000_000)
    .optional()
    .describe('Unread messages a member may have before senders are refused (default: 10000).'),
  durability: z
    .enum(durabilities)
    .optional()
    .describe('power: what was sent survives a power cut, at a few ms each; process: any kill (default: process).'),
  archive: z
    .strictObject({
      count: z.number().int().nonnegative().optional().describe('How many (default: 1000).'),
      age: durationSchema.optional().describe('How old they may get (default: 168h, a week).'),
    })
    .optional()
    .describe('How much of what a member has read stays in its box to be looked at; the journal keeps all of it.'),
})

/** How mail is kept, with defaults filled in. */
export const mailPolicySchema = z.object({
  max_unread: z.number().int().positive(),
  durability: z.enum(durabilities),
  archive: z.object({ count: z.number().int().nonnegative(), age_ms: z.number().nonnegative() }),
})

export type MailPolicy = z.infer<typeof mailPolicySchema>

/** The policy with defaults for whatever a team did not say: `mailPolicy({ max_unread: 100 })`. */
export function mailPolicy({ max_unread, durability, archive }: z.infer<typeof mailSchema>): MailPolicy {
  return {
    max_unread: max_unread ?? 10_000,
    durability: durability ?? 'process',
    archive: { count: archive?.count ?? 1_000, age_ms: durationMs(archive?.age ?? '168h') },
  }
}
