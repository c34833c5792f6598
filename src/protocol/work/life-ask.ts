import { z } from 'zod'
import { nameSchema } from '../words/ids-schema.ts'
import { personSender } from '../words/ids.ts'
import type { Envelope } from '../mail/envelope.ts'

/** A person's wish about the life of one member, in control mail to the leader. */
export const lifeAskSchema = z.discriminatedUnion('ask', [
  z.object({
    ask: z.literal('stop'),
    member: nameSchema,
    reason: z.string(),
    /** How long the worker may take to finish, or to refuse; 0: it is not asked. */
    grace_ms: z.number().int().nonnegative(),
  }),
  z.object({ ask: z.literal('restart'), member: nameSchema }),
])

export type LifeAsk = z.infer<typeof lifeAskSchema>

/** The wish in a mail to the leader; null in any other. Members stop or restart nobody by mail. */
export function lifeAskIn({ from, kind, body }: Envelope): LifeAsk | null {
  if (from !== personSender || kind !== 'control') return null
  try {
    return lifeAskSchema.safeParse(JSON.parse(body)).data ?? null
  } catch {
    return null
  }
}
