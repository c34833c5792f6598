import { z } from 'zod'
import { nameSchema } from '../words/ids-schema.ts'
import { personSender } from '../words/ids.ts'
import type { Envelope } from '../mail/envelope.ts'

/** A person's wish, in control mail to the leader, that one worker stops. */
export const stopAskSchema = z.object({
  ask: z.literal('stop'),
  member: nameSchema,
  reason: z.string(),
  /** How long the worker may take to finish, or to refuse; 0: it is not asked. */
  grace_ms: z.number().int().nonnegative(),
})

export type StopAsk = z.infer<typeof stopAskSchema>

/** The wish in a mail to the leader; null in any other. Members stop nobody by mail. */
export function stopAskIn({ from, kind, body }: Envelope): StopAsk | null {
  if (from !== personSender || kind !== 'control') return null
  try {
    return stopAskSchema.safeParse(JSON.parse(body)).data ?? null
  } catch {
    return null
  }
}
